package com.finedge.once.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after dead-letter queues: how much they hold, since when, and whether somebody must be told.
 *
 * <p>It looks at some letters, hides them for a moment, and hands them back at once. Each look counts as a receive.
 */
public final class DeadLetterWatch {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterWatch.class);

    /** How many letters a look takes at the most: of a queue with fewer the oldest is certain. */
    public static final int MOST_LOOKED_AT = 50;

    private static final int A_RECEIVE = 10;

    /** Should this process die while it looks, that is how long they stay away. */
    private static final Duration HIDDEN = Duration.ofSeconds(10);

    private final Supplier<List<DeadLetterQueue>> source;
    private List<DeadLetterQueue> queues = List.of();
    private final Duration warnEvery;
    private final InstantSource clock;
    private final DeadLetterListener listener;
    private final Map<String, Standing> standings = new ConcurrentHashMap<>();
    private final Map<String, Instant> warnedAt = new ConcurrentHashMap<>();

    /**
     * @param queues asked for at the first look: which they are may have to be found out first
     * @param warnEvery how long a warning is good for while the queue isn't empty
     */
    public DeadLetterWatch(
            Supplier<List<DeadLetterQueue>> queues,
            Duration warnEvery,
            InstantSource clock,
            DeadLetterListener listener) {
        this.source = queues;
        this.warnEvery = warnEvery;
        this.clock = clock;
        this.listener = listener;
    }

    /** Looks at each queue once; one that can't be asked keeps its last standing. */
    public void watch() {
        if (queues.isEmpty()) {
            queues = source.get();
        }
        for (DeadLetterQueue queue : queues) {
            try {
                Standing standing = look(queue);
                standings.put(queue.name(), standing);
                listener.watched(standing);
                warn(standing);
            } catch (RuntimeException e) {
                log.warn("The dead-letter queue {} can't be looked at: {}", queue.name(), e.toString());
            }
        }
    }

    /** What each queue was last seen to hold; nothing of a queue that was never seen. */
    public List<Standing> standings() {
        return standings.values().stream()
                .sorted(Comparator.comparing(Standing::queue))
                .toList();
    }

    private Standing look(DeadLetterQueue queue) {
        Instant now = clock.instant();
        Depth depth = queue.depth();
        return new Standing(queue.name(), depth, depth.visible() == 0 ? null : oldest(queue, depth), now);
    }

    private static @Nullable Instant oldest(DeadLetterQueue queue, Depth depth) {
        List<DeadLetter> seen = new ArrayList<>();
        try {
            long wanted = Math.min(depth.visible(), MOST_LOOKED_AT);
            while (seen.size() < wanted) {
                List<DeadLetter> some = queue.receive((int) Math.min(A_RECEIVE, wanted - seen.size()), HIDDEN);
                if (some.isEmpty()) {
                    break;
                }
                some.forEach(letter -> seen.add(letter.withoutBody()));
            }
        } finally {
            queue.handBack(seen);
        }
        return seen.stream().map(DeadLetter::sentAt).min(Instant::compareTo).orElse(null);
    }

    private void warn(Standing standing) {
        if (standing.depth().visible() == 0) {
            // What somebody is looking at, or redriving, is still there.
            if (standing.depth().hidden() == 0 && warnedAt.remove(standing.queue()) != null) {
                log.info("The dead-letter queue {} is empty again", standing.queue());
            }
            return;
        }
        Instant last = warnedAt.get(standing.queue());
        if (last == null || Duration.between(last, standing.at()).compareTo(warnEvery) >= 0) {
            warnedAt.put(standing.queue(), standing.at());
            log.warn(
                    "The dead-letter queue {} holds {} messages, the oldest seen since {}",
                    standing.queue(),
                    standing.depth().visible(),
                    standing.oldest());
        }
    }
}
