package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.ClaimState;
import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Events;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.FaultProxy.Faulty;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.AsyncProcessorSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.sqs.model.Message;

/** Routes as teams may change them, on disk: none deletes a message whose claim hasn't ended. */
class RouteVariantsIT {

    private static final Duration LONGEST = Duration.ofSeconds(40);

    /** Below the heartbeat's ceiling, at which a message that nobody works on comes back by itself. */
    private static final Duration BELOW_MAX_HOLD = Duration.ofSeconds(25);

    private static final String NO_ERROR_HANDLER = """
                errorHandler:
                  noErrorHandler: {}
            """;

    private static final String KEEP_MESSAGE = """
                    - bean:
                        id: keep-message
                        ref: messages
                        method: received
            """;

    private static final String LOG_AND_MARK_HANDLED = """
            - onException:
                id: log-and-mark-handled
                exception:
                  - java.lang.Exception
                handled:
                  constant: "true"
                steps:
                  - log:
                      id: say-so
                      loggingLevel: DEBUG
                      message: "never mind: ${exception.message}"
            """;

    private static final String HAND_OVER = """
                    - to:
                        id: hand-over
                        uri: seda:charges-at-work
            """;

    /** What follows in the file are its steps. */
    private static final String SECOND_ROUTE = """
            - route:
                id: work-on-charge
                errorHandler:
                  noErrorHandler: {}
                from:
                  id: at-work
                  uri: seda:charges-at-work
                  parameters:
                    concurrentConsumers: 4
                  steps:
            """;

    private static final String MORE_THREADS = """
                    - threads:
                        id: hand-on-once-more
                        poolSize: 4
            """;

    private static final String DELETE = """
                    - to:
                        id: too-early
                        uri: direct:delete-message
            """;

    private static final String LOSE_EVERYTHING = """
                    - removeHeaders:
                        id: remove-headers
                        pattern: "*"
                    - transform:
                        id: new-message
                        constant: gone
            """;

    @TempDir
    Path folder;

    /** The route as it ships, with this in place of that. */
    private static String recoverCharge(String that, String by) {
        try {
            String yaml = Files.readString(Path.of("src/main/resources/routes/recover-charge.camel.yaml"));
            assertThat(yaml).containsOnlyOnce(that);
            return yaml.replace(that, by);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TestBed with(TestBed bed, String recoverCharge) throws IOException {
        Path file = Files.writeString(folder.resolve("recover-charge.camel.yaml"), recoverCharge);
        return bed.set("camel.main.routes-include-pattern", "classpath:routes/d*.camel.yaml,file:" + file);
    }

    private static WatchedDeletes watch(TestBed bed, FaultProxy sqs) {
        WatchedDeletes deletes = new WatchedDeletes(bed);
        sqs.watchedBy(deletes);
        return deletes;
    }

    private static String loggedAndMarkedHandled() {
        return LOG_AND_MARK_HANDLED + recoverCharge(NO_ERROR_HANDLER, "");
    }

    @Test
    void aClaimThatCannotBeAskedForEndsInTheDeadLetterQueueThoughTheRouteMarksItHandled() throws Exception {
        TestBed bed = with(TestBed.withFewReceives(Duration.ofSeconds(2), 1), loggedAndMarkedHandled());
        try (FaultProxy dynamoDb = bed.beforeDynamoDb();
                FaultProxy sqs = bed.beforeSqs()) {
            WatchedDeletes deletes = watch(bed, sqs);
            Faulty down = ClaimCalls.claim(dynamoDb).answer(400, "AccessDeniedException");
            try (RunningOnce once = bed.start()) {
                List<String> charge = bed.send(1);
                bed.untilDrained(LONGEST);

                assertThat(down.hits()).as("deliveries").isEqualTo(4);
                assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES))
                        .as("what the route hides from us")
                        .isZero();
                assertThat(bed.isClaimed(charge.get(0))).isFalse();
                deletes.wereOf(List.of());

                // Mended, what SQS has kept is sent again.
                down.end();
                List<Message> dead = bed.deadLetters().drain();
                assertThat(dead).hasSize(1);
                bed.charges().send(dead.get(0).body());
                bed.untilDrained(LONGEST);
                bed.allDoneOnce(charge);
                deletes.wereOf(charge);
            }
        }
    }

    @Test
    void anEndThatCannotBeRecordedIsRunAgainThoughTheRouteMarksItHandled() throws Exception {
        TestBed bed = with(TestBed.withVisibility(Duration.ofSeconds(2)), loggedAndMarkedHandled());
        try (FaultProxy dynamoDb = bed.beforeDynamoDb();
                FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            WatchedDeletes deletes = watch(bed, sqs);
            ClaimCalls.finish(dynamoDb).times(1).answer(400, "AccessDeniedException");
            List<String> charge = bed.send(1);
            bed.untilDrained(LONGEST);

            bed.allDoneOnce(charge);
            assertThat(bed.attempts(charge)).isEqualTo(2);
            deletes.wereOf(charge);
            assertThat(TestBed.gauge(once, MeterNames.HOLDING)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seda", "threads"})
    void workThatIsHandedOverIsDeletedAfterItsEndAndComesBackAfterItsFailure(String to) throws Exception {
        String handOver = to.equals("seda") ? HAND_OVER + SECOND_ROUTE : MORE_THREADS;
        TestBed bed = with(TestBed.quick(), recoverCharge(KEEP_MESSAGE, KEEP_MESSAGE + handOver))
                .set("once.notifications.read-timeout", "8s")
                .set("logging.level.org.apache.camel.component.seda", "off");
        List<String> charges = TestBed.chargeIds(4);
        charges.forEach(chargeId ->
                bed.bank().fault(chargeId, Fault.slow(Duration.ofSeconds(3)).onNotification()));
        try (FaultProxy dynamoDb = bed.beforeDynamoDb();
                FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            WatchedDeletes deletes = watch(bed, sqs);
            Faulty failed = ClaimCalls.claim(dynamoDb).times(1).answer(400, "AccessDeniedException");
            bed.send(charges);
            await().atMost(LONGEST)
                    .until(() -> charges.stream().filter(bed::isClaimed).count() >= 3);
            assertThat(bed.charges().size()).isEqualTo(charges.size());
            deletes.wereOf(List.of());

            bed.untilDrained(LONGEST);

            bed.allDoneOnce(charges);
            assertThat(bed.attempts(charges)).isEqualTo(charges.size());
            assertThat(failed.hits()).isEqualTo(1);
            assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES, "cause", "claim-store"))
                    .isEqualTo(1);
            deletes.wereOf(charges);
            assertThat(TestBed.gauge(once, MeterNames.HOLDING)).isZero();
        }
    }

    /** A check that found nothing in this route would find nothing anywhere. */
    @Test
    void aRouteThatDeletesWhatItHasHandedOverIsFoundOut() throws Exception {
        TestBed bed =
                with(TestBed.quick(), recoverCharge(KEEP_MESSAGE, KEEP_MESSAGE + HAND_OVER + DELETE + SECOND_ROUTE));
        List<String> charge = TestBed.chargeIds(1);
        bed.bank().fault(charge.get(0), Fault.slow(Duration.ofSeconds(1)));
        try (FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            WatchedDeletes deletes = watch(bed, sqs);
            bed.send(charge);
            bed.untilDrained(LONGEST);
            await().atMost(LONGEST).until(() -> bed.isDone(charge.get(0)));

            assertThat(deletes.tooEarly()).isEqualTo(charge);
            assertThat(TestBed.count(once, MeterNames.CLAIMS)).isEqualTo(1);
        }
    }

    @Test
    void aRouteThatLosesHeadersAndBodyStillDeletesAndCopiesWhatItReceived() throws Exception {
        TestBed bed = with(TestBed.quick(), recoverCharge(KEEP_MESSAGE, KEEP_MESSAGE + LOSE_EVERYTHING));
        List<String> charges = TestBed.chargeIds(3);
        String refused = charges.get(2);
        bed.bank().fault(refused, Fault.reject("INSUFFICIENT_FUNDS"));
        String body = Events.chargeDue(refused);
        try (FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            WatchedDeletes deletes = watch(bed, sqs);
            bed.send(charges.subList(0, 2));
            bed.charges().send(body);
            bed.untilDrained(LONGEST);

            assertThat(bed.claim(refused).state()).isEqualTo(ClaimState.FAILED);
            assertThat(bed.deadLetters().drain()).extracting(Message::body).containsExactly(body);
            bed.allDoneOnce(charges.subList(0, 2));
            deletes.wereOf(charges);
            assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES)).isZero();
        }
    }

    @Test
    void aRouteThatLosesThemBeforeTheMessageIsKeptIsRefused() throws Exception {
        TestBed bed = with(TestBed.quick(), recoverCharge(KEEP_MESSAGE, LOSE_EVERYTHING + KEEP_MESSAGE));

        assertThatThrownBy(() -> bed.start().close())
                .hasStackTraceContaining(
                        "route recover-charge: the step remove-headers stands before the message is kept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plainProcessor", "asyncProcessor"})
    void anErrorInAStepThatIsNoBeanDeletesNothingAndHoldsNothing(String step) throws Exception {
        String debit = """
                                  - bean:
                                      id: debit-account
                """;
        String broken = """
                                  - process:
                                      id: broken
                                      ref: %s
                """.formatted(step);
        TestBed bed = with(TestBed.quick(), recoverCharge(debit, broken + debit));
        try (FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start(BrokenSteps.class)) {
            WatchedDeletes deletes = watch(bed, sqs);
            BrokenSteps.LEFT.set(2);
            List<String> charges = bed.send(4);
            bed.untilDrained(BELOW_MAX_HOLD);

            bed.allDoneOnce(charges);
            assertThat(bed.attempts(charges)).isEqualTo(charges.size() + 2);
            assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES, "cause", "other"))
                    .isEqualTo(2);
            assertThat(TestBed.gauge(once, MeterNames.HOLDING)).isZero();
            deletes.wereOf(charges);
        }
    }

    /** Steps that are no beans to Camel: the first so many times they let an Error pass. */
    static final class BrokenSteps {

        private static final AtomicInteger LEFT = new AtomicInteger();

        private static void breakDown() {
            if (LEFT.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StackOverflowError("as the test wants it");
            }
        }

        @Bean
        Processor plainProcessor() {
            return exchange -> breakDown();
        }

        @Bean
        Processor asyncProcessor() {
            return new AsyncProcessorSupport() {
                @Override
                public boolean process(Exchange exchange, AsyncCallback callback) {
                    breakDown();
                    callback.done(true);
                    return true;
                }
            };
        }
    }
}
