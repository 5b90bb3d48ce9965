package com.finedge.once.console;

import com.finedge.once.deadletter.RedriveProgress;
import com.finedge.once.deadletter.Redrives;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;

/**
 * Tells a page that a redrive has got on, as server-sent events: {@code progress}, and {@code over} at the end. The page
 * then asks for what there is to see.
 *
 * <p>Each page has a thread of its own and hears the latest only, so a slow one holds up no redrive. A stream ends after
 * some seconds and the browser asks again: a stop of the process would otherwise wait for it.
 */
final class RedriveEvents {

    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final Redrives redrives;
    private final InstantSource clock;

    RedriveEvents(Redrives redrives, InstantSource clock) {
        this.redrives = redrives;
        this.clock = clock;
    }

    ServerResponse stream(String id) {
        return ServerResponse.sse(
                sse -> Thread.ofVirtual().name("redrive-events").start(() -> send(id, sse)), LONGEST.multipliedBy(2));
    }

    private void send(String id, SseBuilder sse) {
        BlockingQueue<RedriveProgress> latest = new ArrayBlockingQueue<>(1);
        Redrives.Listening listening = redrives.listen(progress -> {
            if (progress.id().equals(id)) {
                latest.poll();
                latest.offer(progress);
            }
        });
        try {
            Optional<RedriveProgress> now = redrives.find(id);
            Instant until = clock.instant().plus(LONGEST);
            while (now.isPresent() && clock.instant().isBefore(until)) {
                sse.retry(AGAIN).event("progress").data(text(now.get()));
                if (now.get().isOver()) {
                    break;
                }
                RedriveProgress next = latest.poll(1, TimeUnit.SECONDS);
                now = next == null ? redrives.find(id) : Optional.of(next);
            }
            if (now.isEmpty() || now.get().isOver()) {
                sse.event("over").data("over");
            }
            sse.complete();
        } catch (IOException e) {
            // Whoever looked has gone.
            sse.error(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sse.error(e);
        } finally {
            listening.close();
        }
    }

    private static String text(RedriveProgress progress) {
        return String.format(
                Locale.ROOT,
                "%d done, %d left, %.1f a second",
                progress.handled(),
                progress.left(),
                progress.perSecond());
    }
}
