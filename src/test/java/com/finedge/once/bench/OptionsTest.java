package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    private static final List<Peer> PEERS = Peer.all();

    @Test
    void whatIsNotGivenHasADefault() {
        Options options = Options.of(PEERS, "--warmup=20000", "--modes=cpu");

        assertThat(options.warmup()).isEqualTo(20_000);
        assertThat(options.modes()).containsExactly(Mode.CPU);
        assertThat(options.messages()).isEqualTo(15_000);
        assertThat(options.peers()).isEqualTo(PEERS);
        assertThat(options.total()).isEqualTo(36_500);
    }

    @Test
    void inAHurryOnlyOnceIsMeasuredAndOnce() {
        Options options = Options.of(PEERS, "--quick");

        assertThat(options.peers()).extracting(Peer::name).containsExactly("once");
        assertThat(options.rounds()).isEqualTo(1);
        assertThat(options.warmup()).isEqualTo(5_000);
        assertThat(Options.of(PEERS).rounds()).isEqualTo(3);
        assertThat(Options.of(PEERS).warmup()).isEqualTo(30_000);
    }

    @Test
    void aSlowPeerGetsItsShareOfTheMessages() {
        Options options = Options.of(PEERS, "--warmup=5000", "--messages=10000");
        Peer slow = new Peer("slow", "Slow", 0.004, endpoints -> List.of());

        assertThat(options.sharedBy(slow).warmup()).isEqualTo(20);
        assertThat(options.sharedBy(slow).messages()).isEqualTo(40);
        assertThat(options.sharedBy(PEERS.getFirst())).isEqualTo(options);
        assertThat(slow.shareOf(100)).as("too few to measure").isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"--outbox,OUTBOX", "--sagas,SAGAS", "--start,START", "--quick,ALL"})
    void onePartCanBeMeasuredAlone(String argument, Options.Part part) {
        assertThat(Options.of(PEERS, argument).part()).isEqualTo(part);
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
