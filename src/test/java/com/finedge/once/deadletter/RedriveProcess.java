package com.finedge.once.deadletter;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.LocalAws;
import com.finedge.once.support.ForwardingClaimStore;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One redrive in a JVM of its own, which dies after a named step has been done so many times.
 *
 * <p>Arguments: the endpoints of SQS, DynamoDB and the bank, the queue, its dead-letter queue, the table, the step (or
 * {@code none}) and how many times.
 */
public final class RedriveProcess {

    static final String DYING = "dying after ";
    static final String ENDED = "the redrive has ended: ";

    /** The steps of a redrive after which it may be cut off. */
    enum Step {
        RECEIVED,
        AUDITED,
        REOPENED,
        SETTLED,
        SENT,
        DELETED
    }

    private static String dieAfter = "none";
    private static final AtomicInteger TIMES = new AtomicInteger();

    private RedriveProcess() {}

    static void done(Step step) {
        if (step.name().equals(dieAfter) && TIMES.decrementAndGet() == 0) {
            System.out.println(DYING + step);
            System.out.flush();
            Runtime.getRuntime().halt(137);
        }
    }

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        dieAfter = args[6];
        TIMES.set(Integer.parseInt(args[7]));
        RedriveRig.Places places = new RedriveRig.Places(
                LocalAws.sqs(URI.create(args[0])),
                LocalAws.dynamoDb(URI.create(args[1])),
                URI.create(args[2]),
                args[3],
                args[4],
                args[5]);
        RedriveRig rig = RedriveRig.of(
                places,
                null,
                new RecordingAuditLog(),
                Duration.ofSeconds(2),
                new RedriveRig.Wraps(CountedQueue::new, CountedClaims::new, CountedAudit::new, bank -> bank));
        RedriveOrder order = new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, Terms.ORDINARY, false, 10, 100, 4);
        StartResult.Started started = (StartResult.Started) rig.redrives().start(order);
        while (!rig.redrives().find(started.progress().id()).orElseThrow().isOver()) {
            Thread.onSpinWait();
        }
        RedriveProgress end = rig.redrives().find(started.progress().id()).orElseThrow();
        System.out.println(ENDED + end.status() + " " + end.verdicts() + " failed " + end.failed());
        Runtime.getRuntime().halt(0);
    }

    private record CountedQueue(RedrivableQueue queue) implements RedrivableQueue {

        @Override
        public String name() {
            return queue.name();
        }

        @Override
        public String source() {
            return queue.source();
        }

        @Override
        public Depth depth() {
            return queue.depth();
        }

        @Override
        public List<DeadLetter> receive(int most, Duration hidden) {
            List<DeadLetter> letters = queue.receive(most, hidden);
            done(Step.RECEIVED);
            return letters;
        }

        @Override
        public void handBack(List<DeadLetter> letters) {
            queue.handBack(letters);
        }

        @Override
        public void resend(DeadLetter letter) {
            queue.resend(letter);
            done(Step.SENT);
        }

        @Override
        public void sendInstead(DeadLetter letter, String body) {
            queue.sendInstead(letter, body);
        }

        @Override
        public void delete(DeadLetter letter) {
            queue.delete(letter);
            done(Step.DELETED);
        }
    }

    private static final class CountedClaims extends ForwardingClaimStore {

        private final ClaimStore store;

        CountedClaims(ClaimStore store) {
            this.store = store;
        }

        @Override
        protected ClaimStore store() {
            return store;
        }

        @Override
        public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
            boolean reopened = super.reopen(key, detail, now);
            done(Step.REOPENED);
            return reopened;
        }

        @Override
        public boolean settle(ClaimRecord seen, ClaimEnd end) {
            boolean settled = super.settle(seen, end);
            done(Step.SETTLED);
            return settled;
        }
    }

    private record CountedAudit(AuditLog log) implements AuditLog {

        @Override
        public void record(OperatorAction action) {
            log.record(action);
            done(Step.AUDITED);
        }

        @Override
        public List<OperatorAction> on(String target, int most) {
            return log.on(target, most);
        }

        @Override
        public List<OperatorAction> latest(int most) {
            return log.latest(most);
        }
    }
}
