package com.finedge.once.camel;

import com.finedge.once.contract.InvalidMessageException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.RouteDefinition;

/** The route recover-charge in the Java DSL: the same beans, the same steps, the same ids as the YAML. */
public class RecoverChargeJavaRoute extends RouteBuilder {

    private static final String CHARGES = "aws2-sqs:{{once.charges.queue}}"
            + "?queueUrl={{queue-url:{{once.charges.queue}}}}"
            + "&deleteAfterRead=false"
            + "&deleteIfFiltered=false"
            + "&maxMessagesPerPoll=10"
            + "&greedy=true"
            + "&concurrentConsumers={{once.charges.pollers}}"
            + "&waitTimeSeconds={{seconds:{{once.charges.poll-wait}}}}"
            + "&visibilityTimeout={{seconds:{{once.charges.visibility}}}}"
            + "&attributeNames=ApproximateReceiveCount"
            + "&messageAttributeNames=traceparent,redrives"
            + "&pollStrategy=#inFlightMessages"
            + "&exceptionHandler=#failedDeliveries";

    private static final String DELETE = "direct:delete-message";
    private static final String DEFER = "direct:defer-message";
    private static final String DEAD_LETTER = "direct:dead-letter-message";

    @Override
    public void configure() {
        RouteDefinition route = from(CHARGES);
        route.getInput().setId("receive-charge");
        route.routeId("recover-charge");
        route.description("Recovers each charge that is due, once, however often its message is delivered.");
        route.errorHandler(noErrorHandler());

        route.threads().executorService("inFlightMessages").id("hand-on");
        route.setVariable("queue", constant("{{once.charges.queue}}")).id("name-queue");
        route.bean("messages", "received").id("keep-message");
        readOrRefuse(route);
        route.bean("charges", "claim").id("claim-charge");
        whatTheClaimSays(route.choice().id("what-the-claim-says"));
    }

    private void readOrRefuse(RouteDefinition route) {
        route.doTry()
                .id("read-or-refuse")
                .bean("charges", "read")
                .id("read-charge")
                .doCatch(InvalidMessageException.class)
                .id("not-a-charge")
                .setVariable("code", simple("${exception.code}"))
                .id("code-of-invalid")
                .setVariable("reason", simple("${exception.message}"))
                .id("reason-of-invalid")
                .to(DEAD_LETTER)
                .id("invalid-to-dead-letters")
                .stop()
                .id("invalid-has-ended");
    }

    private void whatTheClaimSays(ChoiceDefinition claim) {
        claim.when(simple("${variable.claimOutcome} == 'ACQUIRED'")).id("acquired");
        claim.bean("charges", "debit").id("debit-account");
        whatTheBankSays(claim.choice().id("what-the-bank-says"));
        whatWasRecorded(claim.choice().id("what-was-recorded"));

        claim.when(simple("${variable.claimOutcome} == 'DUPLICATE_DONE'")).id("duplicate-done");
        claim.to(DELETE).id("done-is-deleted");

        claim.when(simple("${variable.claimOutcome} == 'DUPLICATE_IN_PROGRESS'"))
                .id("duplicate-in-progress");
        claim.setVariable("delay", method("charges", "untilLeaseEnds")).id("delay-until-lease-ends");
        claim.to(DEFER).id("in-progress-is-deferred");

        claim.when(simple("${variable.claimOutcome} == 'DUPLICATE_FAILED'")).id("duplicate-failed");
        claim.setVariable("code", simple("${variable.claim.existing.outcome}")).id("code-of-duplicate");
        claim.setVariable("reason", constant("another delivery of a charge that failed"))
                .id("reason-of-duplicate");
        claim.to(DEAD_LETTER).id("duplicate-to-dead-letters");

        claim.when(simple("${variable.claimOutcome} == 'CONFLICT'")).id("conflict");
        claim.setVariable("code", constant("CONFLICT")).id("code-of-conflict");
        claim.setVariable("reason", constant("payload differs: the charge id is claimed for other content"))
                .id("reason-of-conflict");
        claim.to(DEAD_LETTER).id("conflict-to-dead-letters");

        claim.otherwise().id("claim-said-something-else");
        claim.throwException(IllegalStateException.class, "no branch for the claim's outcome ${variable.claimOutcome}")
                .id("no-such-claim-outcome");
    }

    private void whatTheBankSays(ChoiceDefinition bank) {
        bank.when(simple("${variable.debitOutcome} == 'DEBITED'")).id("debited");
        bank.bean("charges", "notifyCustomer").id("notify-customer");
        bank.bean("charges", "complete").id("complete-charge");

        bank.when(simple("${variable.debitOutcome} == 'REJECTED'")).id("rejected");
        bank.bean("charges", "fail").id("fail-charge");

        bank.when(simple("${variable.debitOutcome} == 'UNAVAILABLE' || ${variable.debitOutcome} == 'UNKNOWN'"))
                .id("uncertain");
        bank.bean("charges", "postpone").id("postpone-charge");

        bank.otherwise().id("bank-said-something-else");
        bank.throwException(IllegalStateException.class, "no branch for the debit's outcome ${variable.debitOutcome}")
                .id("no-such-debit-outcome");
    }

    private void whatWasRecorded(ChoiceDefinition attempt) {
        attempt.when(simple("${variable.attemptStatus} == 'RECOVERED'")).id("recovered");
        attempt.to(DELETE).id("recovered-is-deleted");

        attempt.when(simple("${variable.attemptStatus} == 'FAILED'")).id("failed");
        attempt.setVariable("code", simple("${variable.attempt.code}")).id("code-of-failure");
        attempt.setVariable("reason", simple("${variable.attempt.reason}")).id("reason-of-failure");
        attempt.to(DEAD_LETTER).id("failed-to-dead-letters");

        attempt.when(simple("${variable.attemptStatus} == 'POSTPONED'")).id("postponed");
        attempt.setVariable("delay", simple("${variable.attempt.backOff}")).id("delay-by-back-off");
        attempt.to(DEFER).id("postponed-is-deferred");

        attempt.when(simple("${variable.attemptStatus} == 'LEASE_LOST'")).id("lease-lost");
        attempt.stop().id("left-to-its-next-delivery");

        attempt.otherwise().id("something-else-was-recorded");
        attempt.throwException(IllegalStateException.class, "no branch for the status ${variable.attemptStatus}")
                .id("no-such-status");
    }
}
