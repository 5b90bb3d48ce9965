package com.finedge.once.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimKeyTest {

    @Test
    void itIsStoredAsScopeAndKey() {
        assertThat(new ClaimKey("charge-recovery", "CHG-1001")).hasToString("charge-recovery#CHG-1001");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "   ", " CHG-1", "CHG-1 ", "CHG 1", "CHG#1", "-CHG", "CHG-1\n", "ＣＨＧ", "CHG\u0000"})
    void aKeyThatCouldBeSharedOrMistakenIsRefused(String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> new ClaimKey("charge-recovery", key));
    }

    @Test
    void aKeyHasAtMost128Characters() {
        assertThat(new ClaimKey("s", "K".repeat(128)).key()).hasSize(128);
        assertThatIllegalArgumentException().isThrownBy(() -> new ClaimKey("s", "K".repeat(129)));
    }
}
