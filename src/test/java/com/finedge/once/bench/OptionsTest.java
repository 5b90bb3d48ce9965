package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    private static final List<Peer> PEERS = List.of(Peer.once());

    @Test
    void whatIsNotGivenHasADefault() {
        Options options = Options.of(PEERS, "--warmup=20000", "--modes=cpu");

        assertThat(options.warmup()).isEqualTo(20_000);
        assertThat(options.modes()).containsExactly(Mode.CPU);
        assertThat(options.messages()).isEqualTo(5_000);
        assertThat(options.peers()).isEqualTo(PEERS);
        assertThat(options.total()).isEqualTo(26_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--warm-up=1",
                "--modes=clouds",
                "--peers=nobody",
                "--messages=many",
                "--messages=0",
                "--rounds=0",
                "--duplicates=91",
                "--messages",
                "cpu"
            })
    void whatMakesNoSenseIsRefused(String argument) {
        assertThatIllegalArgumentException().isThrownBy(() -> Options.of(PEERS, argument));
    }
}
