package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FiguresTest {

    private static final long MIB = 1 << 20;

    @Test
    void aRunWithinItsLimitsHasNothingBroken() {
        Figures figures = figures(calls(214, 1_914, 0), 60 * MIB, 76 * MIB);

        assertThat(figures.broken()).isEmpty();
        assertThat(figures.messagesPerSecond()).isEqualTo(500);
        assertThat(figures.processorMicrosPerMessage()).isEqualTo(400);
        assertThat(figures.latencyMillis(50)).contains(50.0);
        assertThat(figures.latencyMillis(99)).contains(99.0);
        assertThat(figures.deletesBySecond()).containsExactly(50L, 50L);
    }

    @Test
    void eachLimitBreaksByItself() {
        assertThat(figures(calls(216, 1_900, 0), MIB, MIB).broken())
                .singleElement()
                .asString()
                .contains("SQS");
        assertThat(figures(calls(200, 1_900, 16), MIB, MIB).broken())
                .singleElement()
                .asString()
                .contains("DynamoDB");
        assertThat(figures(calls(200, 1_900, 0), MIB, 17 * MIB + 1).broken())
                .singleElement()
                .asString()
                .contains("heap");
    }

    @Test
    void aMillionChargesCostTheirRequestsAtListPrices() {
        // 900 charges: 1,800 writes, 90 reads and 180 SQS requests are 2, 0.1 and 0.2 a charge.
        assertThat(figures(calls(180, 1_800, 90), MIB, MIB)
                        .dollarsPerMillionCharges()
                        .orElseThrow())
                .isCloseTo(2 * 0.625 + 0.1 * 0.125 + 0.2 * 0.40, Offset.offset(1e-9));
    }

    @Test
    void callsAreThoseBetweenTheTwoStates() {
        Call get = new Call(Api.DYNAMODB, "GetItem");
        Call update = new Call(Api.DYNAMODB, "UpdateItem");
        Call receive = new Call(Api.SQS, "ReceiveMessage");
        Call debit = new Call(Api.BANK, "debit");

        assertThat(Figures.Calls.between(
                        new StubServer.Snapshot(0, Map.of(update, 5L, receive, 1L, debit, 2L), 0),
                        new StubServer.Snapshot(1, Map.of(get, 3L, update, 7L, receive, 2L, debit, 9L), 7)))
                .isEqualTo(calls(1, 2, 3).orElseThrow());
    }

    private static Optional<Figures.Calls> calls(long sqs, long writes, long reads) {
        return Optional.of(new Figures.Calls(Map.of(
                new Call(Api.SQS, "ReceiveMessage"), sqs,
                new Call(Api.DYNAMODB, "UpdateItem"), writes,
                new Call(Api.DYNAMODB, "GetItem"), reads)));
    }

    private static Figures figures(Optional<Figures.Calls> calls, long heapAtFirst, long heapAtLast) {
        return new Figures(
                1_000,
                900,
                Duration.ofSeconds(2),
                calls,
                Duration.ofMillis(400),
                LongStream.rangeClosed(1, 100)
                        .mapToObj(i -> new StubSqs.Deletion(i * 20_000_000, i * 1_000_000, ""))
                        .toList(),
                Optional.of(0.1),
                OptionalLong.of(heapAtFirst),
                OptionalLong.of(heapAtLast),
                new StubBank.Totals(900, 0, 0, 900, 0),
                List.of());
    }
}
