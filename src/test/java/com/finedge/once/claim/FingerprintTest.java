package com.finedge.once.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FingerprintTest {

    @Test
    void theSameFieldsHaveTheSameFingerprint() {
        assertThat(Fingerprint.of("ACC-42", "19.90")).isEqualTo(Fingerprint.of("ACC-42", "19.90"));
    }

    @Test
    void fieldsDontRunIntoOneAnother() {
        assertThat(Fingerprint.of("ab", "c")).isNotEqualTo(Fingerprint.of("a", "bc"));
        assertThat(Fingerprint.of("a", "")).isNotEqualTo(Fingerprint.of("a"));
    }

    @Test
    void itIsASha256() {
        // printf '\0\0\0\3abc' | sha256sum
        assertThat(Fingerprint.of("abc").value())
                .isEqualTo("d04b72a650ce0f8ce4963330a53ee2832733d2baeffff3c1d8e256cca096d120");
        assertThatIllegalArgumentException().isThrownBy(() -> new Fingerprint("ABC"));
    }
}
