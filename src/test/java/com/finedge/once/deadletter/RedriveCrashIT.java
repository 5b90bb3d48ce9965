package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.deadletter.RedriveBed.Kind;
import com.finedge.once.deadletter.RedriveBed.Sent;
import com.finedge.once.deadletter.RedriveProcess.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A redrive that is killed again and again, and run again: nothing is lost, and nothing is debited twice. */
class RedriveCrashIT {

    private static final Duration LONGEST_RUN = Duration.ofSeconds(90);
    private static final int OF_EACH_KIND = 6;
    private static final int RANDOM_KILLS = 4;

    private final RedriveBed bed = new RedriveBed();

    @Test
    void killedAtTenMomentsAndRunAgainItLosesNothingAndDebitsNothingTwice() {
        List<Sent> sent = Stream.of(Kind.values())
                .flatMap(kind -> IntStream.range(0, OF_EACH_KIND).mapToObj(i -> bed.put(kind)))
                .toList();
        List<String> ends = new ArrayList<>();
        bed.whileConsuming(() -> {
            // Each step once, at another place each time.
            for (Step step : Step.values()) {
                String end = run(step.name(), 2);
                assertThat(end).isEqualTo(RedriveProcess.DYING + step);
                ends.add(end);
                assertNothingIsLost(sent);
            }
            // And wherever it happens to be.
            Random chance = new Random(4711);
            for (int i = 0; i < RANDOM_KILLS; i++) {
                ends.add(killedAfter(Duration.ofMillis(900 + chance.nextInt(1_500))));
                assertNothingIsLost(sent);
            }
            String last = run("none", 0);
            assertThat(last).startsWith(RedriveProcess.ENDED + "FINISHED").endsWith("failed 0");
            bed.untilHandled();
        });
        assertThat(ends).hasSize(Step.values().length + RANDOM_KILLS);
        bed.assertAllWhereTheyBelong(sent);
    }

    /** The moment between two steps, for each kind of letter by itself: one run dies there, the next one ends. */
    @Test
    void cutOffAfterEachStepOfEachKindItGoesOnWhereItWas() {
        Map<Kind, List<Step>> steps = Map.of(
                Kind.DONE, List.of(Step.AUDITED, Step.DELETED),
                Kind.TECHNICAL, List.of(Step.AUDITED, Step.REOPENED, Step.SENT, Step.DELETED),
                Kind.UNKNOWN_DEBITED, List.of(Step.AUDITED, Step.SETTLED, Step.DELETED),
                Kind.NEVER_CLAIMED, List.of(Step.SENT));
        steps.forEach((kind, ofKind) -> ofKind.forEach(step -> {
            RedriveBed one = new RedriveBed();
            Sent letter = one.put(kind);
            // The first audited thing is the redrive itself.
            String end = run(one, step.name(), step == Step.AUDITED ? 2 : 1);
            assertThat(end).as("%s of %s", step, kind).isEqualTo(RedriveProcess.DYING + step);
            assertThat(run(one, "none", 0)).startsWith(RedriveProcess.ENDED + "FINISHED");

            assertThat(one.deadLetters.size()).as("dead letters of %s", kind).isZero();
            boolean sent = kind.word.equals("REOPEN") || kind.word.equals("SEND");
            ClaimRecord claim = one.claim(letter.chargeId());
            // Sent twice it is a duplicate; never sent it would be lost.
            assertThat(one.charges.size()).as("sent back of %s", kind).isBetween(sent ? 1 : 0, sent ? 2 : 0);
            assertThat(claim == null ? null : claim.state())
                    .as("claim of %s", kind)
                    .isEqualTo(kind == Kind.NEVER_CLAIMED ? null : sent ? ClaimState.IN_PROGRESS : ClaimState.DONE);
        }));
    }

    /** Each charge is in a queue or done, where the queues are looked at first: what is neither is lost. */
    private void assertNothingIsLost(List<Sent> sent) {
        int messages = bed.deadLetters.size() + bed.charges.size();
        long stay = sent.stream().filter(letter -> letter.kind().stays).count();
        long open = sent.stream()
                .filter(letter -> !letter.kind().stays)
                .filter(letter -> {
                    ClaimRecord claim = bed.claim(letter.chargeId());
                    return claim == null || claim.state() != ClaimState.DONE;
                })
                .count();
        assertThat(messages - stay).as("messages of charges that aren't done").isGreaterThanOrEqualTo(open);
        assertThat(sent)
                .allSatisfy(letter -> assertThat(RedriveBed.debits(letter.chargeId()))
                        .as("debits of %s", letter)
                        .isLessThanOrEqualTo(1));
    }

    private String run(String step, int times) {
        return run(bed, step, times);
    }

    private static String run(RedriveBed bed, String step, int times) {
        Process process = start(bed, step, times);
        try {
            assertThat(process.waitFor(LONGEST_RUN.toSeconds(), TimeUnit.SECONDS))
                    .as("the redrive to end")
                    .isTrue();
            return lastWord(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    private String killedAfter(Duration time) {
        Process process = start(bed, "none", 0);
        try {
            boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly().onExit().join();
            return ended ? lastWord(process) : "killed after " + time;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String lastWord(Process process) {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> all = lines.lines().toList();
            return all.stream()
                    .filter(line -> line.startsWith(RedriveProcess.DYING) || line.startsWith(RedriveProcess.ENDED))
                    .reduce((first, second) -> second)
                    .orElseGet(() -> "said nothing but " + all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start(RedriveBed bed, String step, int times) {
        Map<String, String> settings = RedriveBed.SERVICES.properties();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                RedriveProcess.class.getName(),
                settings.getOrDefault("once.aws.sqs-endpoint", ""),
                settings.getOrDefault("once.aws.dynamodb-endpoint", ""),
                settings.getOrDefault("once.core-banking.url", ""),
                bed.resources.queue(),
                bed.resources.deadLetterQueue(),
                bed.resources.table(),
                step,
                Integer.toString(times));
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
