package com.finedge.once.deadletter;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.Claims;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One redrive, from its order to its end. */
final class RedriveRun {

    private static final Logger log = LoggerFactory.getLogger(RedriveRun.class);

    /** Letters that stay are remembered, so that each is judged once a run; more than anybody looks through. */
    private static final int MOST_STAYING = 100_000;

    /** A queue that says it holds more is asked again so often: each answer takes a second. */
    private static final int MOST_EMPTY_ANSWERS = 30;

    private static final int MOST_FAILURES_IN_A_ROW = 20;
    private static final int TRIES = 3;

    private static final Duration TOLD_EVERY = Duration.ofMillis(250);
    private static final Duration COUNTED_EVERY = Duration.ofSeconds(5);

    /** How far behind its rate a run may catch up. */
    private static final Duration MOST_LATE = Duration.ofMillis(500);

    private static final long LONGEST_PARK_NANOS = Duration.ofMillis(100).toNanos();

    private final String id;
    private final RedriveOrder order;
    private final RedrivableQueue queue;
    private final Effects effects;
    private final Claims claims;
    private final AuditLog audit;
    private final Duration hold;
    private final InstantSource clock;
    private final Examiner examiner;
    private final DeadLetterListener meters;
    private final Consumer<RedriveProgress> listener;
    private final Instant startedAt;
    private final Semaphore inFlight;
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private final Set<String> inHand = ConcurrentHashMap.newKeySet();

    /** Those that stay by their ids, with the receipts of their last delivery. */
    private final Map<String, DeadLetter> staying = new ConcurrentHashMap<>();

    private final Thread worker;

    private volatile boolean cancelled;
    private volatile @Nullable String trouble;
    private volatile RedriveProgress progress;

    private final Map<String, Long> verdicts = new TreeMap<>();
    private long changed;
    private long failed;
    private long skipped;
    private long left;

    private Instant slot;
    private Instant told;
    private Instant counted;

    RedriveRun(
            String id,
            RedriveOrder order,
            RedrivableQueue queue,
            Effects effects,
            Claims claims,
            AuditLog audit,
            Duration hold,
            InstantSource clock,
            Depth depth,
            DeadLetterListener meters,
            Consumer<RedriveProgress> listener) {
        this.id = id;
        this.order = order;
        this.queue = queue;
        this.effects = effects;
        this.claims = claims;
        this.audit = audit;
        this.hold = hold;
        this.clock = clock;
        this.examiner = new Examiner(claims, effects, clock);
        this.meters = meters;
        this.listener = listener;
        this.startedAt = clock.instant();
        this.slot = startedAt;
        this.told = startedAt;
        this.counted = startedAt;
        this.inFlight = new Semaphore(order.maxInFlight());
        this.left = depth.all();
        this.worker = Thread.ofVirtual().name("redrive-" + id).unstarted(this::run);
        this.progress = progress(RedriveProgress.Status.RUNNING);
    }

    void start() {
        worker.start();
    }

    void cancel() {
        cancelled = true;
        LockSupport.unpark(worker);
    }

    void await(Duration most) {
        try {
            worker.join(most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    RedriveProgress progress() {
        return progress;
    }

    private void run() {
        RedriveProgress.Status end;
        try {
            end = redriven();
        } catch (RuntimeException | Error e) {
            log.error("redrive {} has failed", id, e);
            trouble = String.valueOf(e);
            end = RedriveProgress.Status.FAILED;
        }
        handBackAll();
        end(end);
    }

    private RedriveProgress.Status redriven() {
        // Closing it waits for what is in flight.
        try (ExecutorService letters = Executors.newVirtualThreadPerTaskExecutor()) {
            int emptyAnswers = 0;
            long seenAgain = 0;
            while (true) {
                if (cancelled) {
                    return RedriveProgress.Status.CANCELLED;
                }
                if (hasFailed()) {
                    return RedriveProgress.Status.FAILED;
                }
                List<DeadLetter> received = received();
                emptyAnswers = received.isEmpty() ? emptyAnswers + 1 : 0;
                long leftNow = counted(received.isEmpty());
                if (emptyAnswers > (leftNow == 0 ? 1 : MOST_EMPTY_ANSWERS)) {
                    return RedriveProgress.Status.FINISHED;
                }
                for (DeadLetter letter : received) {
                    if (isKnown(letter)) {
                        seenAgain++;
                    } else {
                        seenAgain = 0;
                        begin(letter, letters);
                    }
                }
                // What stays comes back when its time is over, in a long run again and again.
                if (seenAgain > 2L * staying.size() + order.batch()) {
                    return RedriveProgress.Status.FINISHED;
                }
                if (staying.size() > MOST_STAYING) {
                    trouble = "more than " + MOST_STAYING + " letters stay: use a filter";
                    return RedriveProgress.Status.FAILED;
                }
                tell();
            }
        }
    }

    private boolean hasFailed() {
        return failuresInARow.get() >= MOST_FAILURES_IN_A_ROW;
    }

    private List<DeadLetter> received() {
        for (int attempt = 1; ; attempt++) {
            try {
                return queue.receive(order.batch(), hold);
            } catch (DeadLetterQueueException e) {
                if (attempt == TRIES) {
                    throw e;
                }
                log.warn("redrive {}: {} can't be received from: {}", id, queue.name(), e.toString());
                LockSupport.parkNanos(LONGEST_PARK_NANOS * attempt);
            }
        }
    }

    private boolean isKnown(DeadLetter letter) {
        return inHand.contains(letter.id())
                || staying.computeIfPresent(letter.id(), (same, before) -> letter.withoutBody()) != null;
    }

    private void begin(DeadLetter letter, ExecutorService letters) {
        inHand.add(letter.id());
        pace();
        inFlight.acquireUninterruptibly();
        if (cancelled || hasFailed()) {
            stays(letter);
            inFlight.release();
            return;
        }
        letters.execute(() -> {
            try {
                handled(letter);
            } finally {
                inFlight.release();
            }
        });
    }

    /** Slots lie a fixed time apart, so what one letter was late the next ones catch up, within bounds. */
    private void pace() {
        if (order.dryRun()) {
            return;
        }
        Instant now = clock.instant();
        if (slot.isBefore(now.minus(MOST_LATE))) {
            slot = now.minus(MOST_LATE);
        }
        while (!cancelled && slot.isAfter(now)) {
            LockSupport.parkNanos(Math.min(Duration.between(now, slot).toNanos(), LONGEST_PARK_NANOS));
            tell();
            now = clock.instant();
        }
        slot = slot.plusNanos(1_000_000_000L / order.rate());
    }

    private void handled(DeadLetter letter) {
        try {
            Reading reading = effects.read(letter.body());
            if (!order.filter().matches(letter, reading, clock.instant())) {
                stays(letter);
                count(() -> skipped++);
                return;
            }
            Findings findings = examiner.examine(letter, reading);
            Verdict verdict = examiner.decide(findings, order.terms());
            boolean gone = !order.dryRun() && done(letter, findings, verdict);
            boolean meant = order.dryRun() || gone || verdict instanceof Verdict.Stay;
            if (!gone) {
                stays(letter);
            }
            if (meant) {
                count(() -> verdicts.merge(verdict.word(), 1L, Long::sum));
            } else {
                count(() -> changed++);
            }
            dealtWith(meant ? verdict.word() : "CHANGED");
            failuresInARow.set(0);
        } catch (RuntimeException | Error e) {
            // Also an Error: the others go on, and this one comes back.
            log.warn("redrive {}: {} failed and stays: {}", id, letter, e.toString());
            trouble = letter + ": " + e;
            stays(letter);
            failuresInARow.incrementAndGet();
            count(() -> failed++);
            dealtWith("FAILED");
        } finally {
            inHand.remove(letter.id());
        }
    }

    private void dealtWith(String word) {
        if (!order.dryRun()) {
            meters.redriven(queue.name(), word);
        }
    }

    /** @return whether the letter is gone; if not, its claim has changed since the decision */
    private boolean done(DeadLetter letter, Findings findings, Verdict verdict) {
        if (!(findings.reading() instanceof Reading.Valid valid)) {
            return false;
        }
        return switch (verdict) {
            case Verdict.Stay stay -> false;
            case Verdict.Delete delete -> {
                audited(valid.key(), letter, verdict);
                queue.delete(letter);
                yield true;
            }
            case Verdict.Settle(Evidence.Happened happened) -> {
                audited(valid.key(), letter, verdict);
                boolean settled = findings.claim()
                        .filter(seen -> effects.settle(letter.body(), seen, happened, order.by()))
                        .isPresent();
                if (settled) {
                    queue.delete(letter);
                }
                yield settled;
            }
            case Verdict.Reopen reopen -> {
                audited(valid.key(), letter, verdict);
                boolean reopened =
                        claims.reopen(valid.key(), order.by().who(), order.by().why());
                yield reopened && sent(letter);
            }
            case Verdict.Send send -> {
                audited(valid.key(), letter, verdict);
                yield sent(letter);
            }
        };
    }

    /** First sent, then deleted: the other way round a crash in between would lose it. */
    private boolean sent(DeadLetter letter) {
        queue.resend(letter);
        queue.delete(letter);
        return true;
    }

    private void audited(ClaimKey key, DeadLetter letter, Verdict verdict) {
        audit.record(new OperatorAction(
                order.by(),
                "redrive",
                key.toString(),
                verdict.word() + " ordered for letter " + letter.id() + " by redrive " + id,
                clock.instant()));
    }

    private void stays(DeadLetter letter) {
        staying.put(letter.id(), letter.withoutBody());
        inHand.remove(letter.id());
    }

    private synchronized void count(Runnable change) {
        change.run();
        left = Math.max(0, left - 1);
    }

    /** Asks the queue again now and then: letters come in meanwhile, and its numbers are approximate. */
    private long counted(boolean now) {
        Instant at = clock.instant();
        if (now || Duration.between(counted, at).compareTo(COUNTED_EVERY) >= 0) {
            counted = at;
            Depth depth = queue.depth();
            synchronized (this) {
                left = Math.max(0, depth.all() - staying.size());
            }
        }
        synchronized (this) {
            return left;
        }
    }

    private void tell() {
        Instant now = clock.instant();
        if (Duration.between(told, now).compareTo(TOLD_EVERY) >= 0) {
            told = now;
            progress = progress(RedriveProgress.Status.RUNNING);
            listener.accept(progress);
        }
    }

    private void end(RedriveProgress.Status status) {
        progress = progress(status);
        log.info(
                "redrive {} of {} has ended: {}, {}{}{}{}",
                id,
                queue.name(),
                status,
                progress.verdicts(),
                progress.changed() == 0 ? "" : ", " + progress.changed() + " changed meanwhile",
                progress.failed() == 0 ? "" : ", " + progress.failed() + " failed",
                progress.trouble() == null ? "" : ", " + progress.trouble());
        if (!order.dryRun()) {
            try {
                audit.record(new OperatorAction(
                        order.by(),
                        "redrive",
                        queue.name(),
                        "ended as %s: %s %s, changed %s, failed %s, skipped %s"
                                .formatted(
                                        id,
                                        status,
                                        progress.verdicts(),
                                        progress.changed(),
                                        progress.failed(),
                                        progress.skipped()),
                        clock.instant()));
            } catch (RuntimeException e) {
                log.warn("redrive {}: its end isn't in the audit log: {}", id, e.toString());
            }
        }
        listener.accept(progress);
    }

    private void handBackAll() {
        try {
            queue.handBack(new ArrayList<>(staying.values()));
        } catch (RuntimeException e) {
            log.warn("redrive {}: what stays comes back after {}: {}", id, hold, e.toString());
        }
    }

    private synchronized RedriveProgress progress(RedriveProgress.Status status) {
        Instant now = clock.instant();
        Map<String, Long> words = new HashMap<>(verdicts);
        long handled = words.values().stream().mapToLong(Long::longValue).sum() + changed + failed;
        double seconds = Duration.between(startedAt, now).toMillis() / 1_000.0;
        double perSecond = seconds <= 0 ? 0 : (handled + skipped) / seconds;
        long still = status == RedriveProgress.Status.FINISHED ? 0 : left;
        return new RedriveProgress(
                id,
                status,
                order,
                startedAt,
                now,
                new TreeMap<>(words),
                changed,
                failed,
                skipped,
                still,
                perSecond,
                status != RedriveProgress.Status.RUNNING || perSecond <= 0
                        ? null
                        : Duration.ofMillis(Math.round(still / perSecond * 1_000)),
                trouble);
    }
}
