package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MaskedTest {

    @Test
    void theShapeAndTheFieldsAreShownAndNoValue() {
        assertThat(Masked.excerpt(
                        "{\"chargeId\":\"CHG-1\",\"accountId\":\"ACC-42\",\"amount\":-19.90,\"name\":\"Ann Lee\"}"))
                .isEqualTo("{\"chargeId\":\"*-*\",\"accountId\":\"*-*\",\"amount\":-*.*,\"*\":\"* *\"}");
    }

    @Test
    void whatIsNoJsonIsMaskedToo() {
        assertThat(Masked.excerpt("DE89370400440532013000 please\u0000\n\u202Eabc é"))
                .isEqualTo("* *   * *");
        assertThat(Masked.excerpt("amount accountIdDE89")).isEqualTo("amount *");
    }

    @Test
    void aLongBodyIsCut() {
        assertThat(Masked.excerpt("{".repeat(5_000))).hasSize(160);
    }
}
