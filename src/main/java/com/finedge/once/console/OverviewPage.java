package com.finedge.once.console;

import com.finedge.once.outbox.OutboxBacklog;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.saga.SagaCensus;
import com.finedge.once.saga.Sagas;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** What needs somebody, and how the last hour went. */
public final class OverviewPage implements ManagementRoutes {

    private static final Logger log = LoggerFactory.getLogger(OverviewPage.class);

    private static final int MOST_STUCK = 200;

    private final Pages pages;
    private final ChargesPerMinute charges;
    private final Supplier<List<QueueLevel>> queues;
    private final String redrivable;
    private final OutboxStore outbox;
    private final Sagas sagas;

    /**
     * @param queues those that are known here; what can't be asked is left out
     * @param redrivable the dead-letter queue that has pages of its own
     */
    public OverviewPage(
            Pages pages,
            ChargesPerMinute charges,
            Supplier<List<QueueLevel>> queues,
            String redrivable,
            OutboxStore outbox,
            Sagas sagas) {
        this.pages = pages;
        this.charges = charges;
        this.queues = queues;
        this.redrivable = redrivable;
        this.outbox = outbox;
        this.sagas = sagas;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route()
                .GET("/console", request -> show(request, "overview"))
                // What the page asks for by itself, again and again.
                .GET("/console/now", request -> show(request, "overview :: now")));
    }

    /**
     * Something to look at.
     *
     * @param level calm, warning or alarm
     * @param since when it began to wait, if that is known
     */
    public record Card(
            String title,
            String value,
            String text,
            String level,
            @Nullable Instant since,
            @Nullable String link) {}

    private ServerResponse show(ServerRequest request, String template) {
        List<QueueLevel> levels = queues.get();
        Map<String, Object> model = new HashMap<>();
        List<Card> cards = new ArrayList<>();
        levels.stream().filter(QueueLevel::deadLetters).map(this::deadLetters).forEach(cards::add);
        cards.add(asked("Outbox", outbox::backlog, OverviewPage::outbox));
        cards.add(asked("Sagas", () -> sagas.stuck(MOST_STUCK).size(), OverviewPage::stuck));
        SagaCensus census = quietly(sagas::count);
        model.put("live", census == null ? List.of() : census.live());
        model.put("cards", cards);
        model.put("levels", QueueBars.of(levels));
        model.put("charges", ChargesChart.of(charges.lastHour()));
        return pages.page(request, template, model);
    }

    private Card deadLetters(QueueLevel level) {
        return new Card(
                level.queue(),
                Long.toString(level.all()),
                level.all() == 0 ? "no dead letters" : "dead letters wait for somebody",
                level.all() == 0 ? "calm" : "alarm",
                level.all() == 0 ? null : level.oldest(),
                level.queue().equals(redrivable) ? Pages.Part.DEAD_LETTERS.path() : null);
    }

    private static Card outbox(OutboxBacklog backlog) {
        String text = backlog.pending() == 0
                ? "nothing waits to be sent"
                : "%s to be sent, the oldest for %s s"
                        .formatted(backlog.pending(), backlog.oldestPending().toSeconds());
        return new Card(
                "Outbox, parked",
                Long.toString(backlog.parked()),
                text,
                backlog.parked() > 0 ? "alarm" : "calm",
                null,
                Pages.Part.OUTBOX.path());
    }

    private static Card stuck(int count) {
        return new Card(
                "Sagas, stuck",
                count == MOST_STUCK ? MOST_STUCK + " or more" : Integer.toString(count),
                count == 0 ? "all get on" : "don't get on",
                count == 0 ? "calm" : "alarm",
                null,
                Pages.Part.SAGAS.path());
    }

    private static <T> Card asked(String title, Supplier<T> question, Function<T, Card> answer) {
        T value = quietly(question);
        return value == null
                ? new Card(title, "?", "the database gave no answer", "warning", null, null)
                : answer.apply(value);
    }

    /** One back end that is away must not hide what is known of the others. */
    private static <T> @Nullable T quietly(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            log.warn("The overview is incomplete: {}", e.toString());
            return null;
        }
    }
}
