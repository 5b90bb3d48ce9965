package com.finedge.once.deadletter;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.Claims;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redrives the letters of one dead-letter queue, one redrive at a time in a process.
 *
 * <p>Each letter by itself, in an order that loses nothing wherever it is cut off:
 *
 * <ol>
 *   <li>The action is added to the audit log.
 *   <li>The claim is reopened, or ended as done, on the condition that it has still failed.
 *   <li>The letter is sent to its source, unless the effect has happened.
 *   <li>The letter is deleted.
 * </ol>
 *
 * <p>Whoever runs it again after a crash meets the letter once more and a claim that says how far it was: open and nobody's
 * (send and delete), or done (delete), or at work (leave alone). What was sent twice is a duplicate like any other.
 */
public final class Redrives implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Redrives.class);

    private static final int MOST_REMEMBERED = 20;
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final RedrivableQueue queue;
    private final Effects effects;
    private final Claims claims;
    private final AuditLog audit;
    private final Duration hold;
    private final InstantSource clock;
    private final Supplier<UUID> ids;
    private final DeadLetterListener meters;
    private final List<RedriveListener> listeners = new CopyOnWriteArrayList<>();

    /** The latest first. */
    private final Deque<RedriveRun> runs = new ArrayDeque<>();

    /**
     * @param hold how long received letters stay hidden: what a killed redrive had in its hands, and what it had decided
     *     to leave, comes back after that
     * @param ids makes the ids of redrives
     */
    public Redrives(
            RedrivableQueue queue,
            Effects effects,
            Claims claims,
            AuditLog audit,
            Duration hold,
            InstantSource clock,
            Supplier<UUID> ids,
            DeadLetterListener meters) {
        this.queue = queue;
        this.effects = effects;
        this.claims = claims;
        this.audit = audit;
        this.hold = hold;
        this.clock = clock;
        this.ids = ids;
        this.meters = meters;
    }

    /**
     * Begins a redrive and returns at once.
     *
     * @throws RuntimeException if the audit log can't be written, or the queue not be asked: then nothing was begun
     */
    public synchronized StartResult start(RedriveOrder order) {
        RedriveRun last = runs.peekFirst();
        if (last != null && !last.progress().isOver()) {
            return new StartResult.Busy(last.progress());
        }
        String id = ids.get().toString();
        Depth depth = queue.depth();
        if (!order.dryRun()) {
            audit.record(new OperatorAction(
                    order.by(), "redrive", queue.name(), "begun as " + id + ": " + described(order), clock.instant()));
        }
        RedriveRun run =
                new RedriveRun(id, order, queue, effects, claims, audit, hold, clock, depth, meters, this::tell);
        runs.addFirst(run);
        if (runs.size() > MOST_REMEMBERED) {
            runs.removeLast();
        }
        log.info("redrive {} of {} by {}: {}", id, queue.name(), order.by().who(), described(order));
        run.start();
        return new StartResult.Started(run.progress());
    }

    private static String described(RedriveOrder order) {
        LetterFilter filter = order.filter();
        return "%s%s%s codes=%s key=%s olderThan=%s youngerThan=%s batch=%s rate=%s inFlight=%s"
                .formatted(
                        order.dryRun() ? "dry run" : "in earnest",
                        order.terms().includeRejected() ? ", rejected ones too" : "",
                        order.terms().force() ? ", forced" : "",
                        filter.codes().isEmpty()
                                ? "all"
                                : String.join(
                                        "+", filter.codes().stream().limit(5).toList()),
                        filter.key() == null ? "any" : filter.key(),
                        filter.olderThan() == null ? "any" : filter.olderThan(),
                        filter.youngerThan() == null ? "any" : filter.youngerThan(),
                        order.batch(),
                        order.rate(),
                        order.maxInFlight());
    }

    /** The redrives of this process that are remembered, the latest first. */
    public synchronized List<RedriveProgress> latest() {
        return runs.stream().map(RedriveRun::progress).toList();
    }

    /** How far one of them is. */
    public Optional<RedriveProgress> find(String id) {
        return Optional.ofNullable(run(id)).map(RedriveRun::progress);
    }

    /**
     * Has a redrive stop after the letters it has in its hands.
     *
     * @return how far it is, or nothing if there is no such redrive
     */
    public Optional<RedriveProgress> cancel(String id) {
        RedriveRun run = run(id);
        if (run == null) {
            return Optional.empty();
        }
        run.cancel();
        return Optional.of(run.progress());
    }

    private synchronized @Nullable RedriveRun run(String id) {
        return runs.stream()
                .filter(run -> run.progress().id().equals(id))
                .findFirst()
                .orElse(null);
    }

    /**
     * Has a listener told of all redrives from now on.
     *
     * @return ends that
     */
    public Listening listen(RedriveListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** A listener that is told. */
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    private void tell(RedriveProgress progress) {
        for (RedriveListener listener : listeners) {
            try {
                listener.progressed(progress);
            } catch (RuntimeException e) {
                log.warn("a listener of redrives failed: {}", e.toString());
            }
        }
    }

    /** Cancels what runs and waits for it, for ten seconds at the most. */
    @Override
    public void close() {
        RedriveRun last;
        synchronized (this) {
            last = runs.peekFirst();
        }
        if (last != null) {
            last.cancel();
            last.await(LONGEST_STOP);
        }
    }
}
