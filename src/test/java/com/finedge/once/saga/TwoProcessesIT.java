package com.finedge.once.saga;

import static com.finedge.once.saga.Disposition.APPLIED;
import static com.finedge.once.saga.Disposition.CONTRADICTION;
import static com.finedge.once.saga.Disposition.DUPLICATE;
import static com.finedge.once.saga.Disposition.ILLEGAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two processes that have an answer each for the same saga at the same time, and a barrier before its lock. */
class TwoProcessesIT {

    private static final int ROUNDS = Integer.getInteger("once.test.rounds", 200);
    private static final List<String> RACERS = List.of("one", "other");

    private final SagaBed bed = SagaBed.fresh();

    private void race(int rounds, boolean locked, Map<String, List<String>> results) throws Exception {
        Arrays.stream(Racer.MEETINGS.split(";"))
                .forEach(sql -> bed.owner.sql(sql).update());
        for (int round = 0; round < rounds; round++) {
            bed.start(Racer.order(round));
        }
        List<Process> processes = new ArrayList<>();
        try {
            List<CompletableFuture<List<String>>> outputs = new ArrayList<>();
            for (String racer : RACERS) {
                Process process = process(racer, rounds, locked);
                processes.add(process);
                outputs.add(CompletableFuture.supplyAsync(() -> lines(process)));
            }
            for (int i = 0; i < RACERS.size(); i++) {
                List<String> lines = outputs.get(i).get(180, TimeUnit.SECONDS);
                assertThat(processes.get(i).waitFor()).as("%s", lines).isZero();
                results.put(
                        RACERS.get(i),
                        lines.stream()
                                .filter(line -> line.startsWith("round "))
                                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                                .toList());
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private Process process(String racer, int rounds, boolean locked) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Racer.class.getName(),
                        racer,
                        bed.database.name(),
                        Integer.toString(bed.database.port()),
                        Integer.toString(rounds),
                        Boolean.toString(locked))
                .redirectErrorStream(true)
                .start();
    }

    private static List<String> lines(Process process) {
        return process.inputReader(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void oneOfTwoAnswersAtTheSameTimeMovesTheSagaAndTheOtherIsNoted() throws Exception {
        Map<String, List<String>> results = new HashMap<>();

        race(ROUNDS, true, results);

        List<String> one = results.getOrDefault("one", List.of());
        List<String> other = results.getOrDefault("other", List.of());
        int oneWasFirst = 0;
        assertThat(one).hasSize(ROUNDS);
        assertThat(other).hasSize(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            String order = Racer.order(round);
            SagaStore.Dossier dossier = bed.dossier(order);
            boolean first = one.get(round).equals("APPLIED");
            oneWasFirst += first ? 1 : 0;
            assertThat(dossier.history())
                    .as(order)
                    .extracting(SagaStore.Happened::version)
                    .containsExactly(1L, 2L, 3L);
            assertThat(dossier.saga().version()).as(order).isEqualTo(3);
            Disposition second = Racer.agree(round) ? DUPLICATE : first ? ILLEGAL : CONTRADICTION;
            assertThat(List.of(one.get(round), other.get(round)))
                    .as(order)
                    .containsExactlyInAnyOrder("APPLIED", second.name());
            assertThat(bed.history(order)).as(order).containsExactly(APPLIED, APPLIED, second);
            if (first || Racer.agree(round)) {
                assertThat(bed.sent(order)).as(order).containsExactly("TakePayment.v1", "ReserveStock.v1");
            } else {
                assertThat(bed.sent(order))
                        .as(order)
                        .containsExactly("TakePayment.v1", "OrderCancelled.v1", "RefundPayment.v1");
            }
        }
        assertThat(oneWasFirst).as("each has been first").isBetween(1, ROUNDS - 1);
    }

    /** The same race finds out what is missing: it could fail. */
    @Test
    void withoutLockAndVersionAnOrderGoesOnAndIsCancelled() throws Exception {
        int rounds = 20;

        race(rounds, false, new HashMap<>());

        List<String> both = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<String> sent = bed.sent(Racer.order(round));
            if (sent.contains("ReserveStock.v1") && sent.contains("OrderCancelled.v1")) {
                both.add(Racer.order(round));
            }
        }
        assertThat(both).isNotEmpty();
    }
}
