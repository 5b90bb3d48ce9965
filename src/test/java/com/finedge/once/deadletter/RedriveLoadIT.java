package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.finedge.once.deadletter.RedriveBed.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Many dead letters at a rate: 400 in the ordinary build, 10,000 with {@code -Donce.test.dead-letters=10000}, which also
 * says whether the rate is kept from below.
 */
class RedriveLoadIT {

    private static final int LETTERS = Integer.getInteger("once.test.dead-letters", 400);
    private static final int RATE = Integer.getInteger("once.test.redrive-rate", 100);
    private static final long MOST_GROWTH = 32 * 1024 * 1024;

    /** So few letters are done in seconds, in which one pause of the machine is a part of the rate that counts. */
    private static final boolean LONG = LETTERS >= 5_000;

    private final RedriveBed bed = new RedriveBed();

    @Test
    void aLongRedriveKeepsItsRateAndItsMemoryAndSaysHowLongItTakes() throws Exception {
        put(LETTERS);
        RedriveRig rig = bed.rig(Duration.ofSeconds(60), RedriveRig.Wraps.NONE);
        List<RedriveProgress> told = new CopyOnWriteArrayList<>();
        List<Long> heaps = new ArrayList<>();
        Redrives.Listening listening = rig.redrives().listen(told::add);
        RedriveOrder order = new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, Terms.ORDINARY, false, 10, RATE, 20);
        String id =
                ((StartResult.Started) rig.redrives().start(order)).progress().id();
        for (int part = 1; part <= 4; part++) {
            long until = (long) LETTERS * part / 5;
            Awaitility.await()
                    .atMost(Duration.ofMinutes(5))
                    .until(() -> rig.redrives().find(id).orElseThrow().handled() >= until);
            heaps.add(usedHeap());
        }
        RedriveProgress end = RedriveBed.ended(rig.redrives(), id);
        listening.close();

        assertThat(end.status()).isEqualTo(RedriveProgress.Status.FINISHED);
        assertThat(end.verdicts().get("REOPEN")).isEqualTo(LETTERS);
        assertThat(end.failed()).isZero();
        assertThat(bed.deadLetters.size()).isZero();
        assertThat(bed.charges.size()).isEqualTo(LETTERS);

        // From the first word to the last one before the end, which waits for more letters to come.
        List<RedriveProgress> running = told.stream()
                .filter(progress -> !progress.isOver() && progress.handled() < LETTERS)
                .toList();
        RedriveProgress first = running.getFirst();
        RedriveProgress last = running.getLast();
        double seconds = Duration.between(first.at(), last.at()).toMillis() / 1_000.0;
        double rate = (last.handled() - first.handled()) / seconds;
        System.out.printf(
                "redrive of %d dead letters: asked for %d a second, had %.1f; heap in use after a collection %s MB%n",
                LETTERS,
                RATE,
                rate,
                heaps.stream().map(bytes -> bytes / 1_048_576).toList());
        assertThat(rate).isPositive().isLessThan(RATE * 1.1);
        if (LONG) {
            assertThat(rate).isGreaterThan(RATE * 0.9);
        }
        assertThat(heaps.getLast() - heaps.getFirst()).as("growth of the heap").isLessThan(MOST_GROWTH);

        // Half-way it knows how much is left, and how long that takes.
        RedriveProgress halfWay = running.get(running.size() / 2);
        assertThat(halfWay.left() + halfWay.handled()).isCloseTo(LETTERS, within(LETTERS / 10L));
        double timeLeft = Objects.requireNonNull(halfWay.timeLeft()).toMillis() / 1_000.0;
        assertThat(halfWay.perSecond())
                .isCloseTo(
                        halfWay.handled()
                                / (Duration.between(halfWay.startedAt(), halfWay.at())
                                                .toMillis()
                                        / 1_000.0),
                        within(1.0));
        assertThat(timeLeft).isCloseTo(halfWay.left() / halfWay.perSecond(), within(1.0));
        if (LONG) {
            double left = Duration.between(halfWay.at(), last.at()).toMillis() / 1_000.0;
            assertThat(timeLeft).isCloseTo(left, within(left * 0.25 + 1));
        }
    }

    private void put(int letters) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < letters; i++) {
                all.add(threads.submit(() -> bed.put(Kind.TECHNICAL)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
