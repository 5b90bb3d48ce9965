package com.finedge.once.console;

import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Stuck;
import com.finedge.once.saga.Sagas;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * Sagas on the management port, where nothing but health is open unless {@code management.endpoints.web.exposure.include}
 * says so: those that are stuck, one with its history, and the operator's verbs.
 */
@Endpoint(id = "sagas")
public final class SagasEndpoint {

    private static final int MOST_STUCK = 200;

    private final Sagas sagas;

    public SagasEndpoint(Sagas sagas) {
        this.sagas = sagas;
    }

    /** The sagas that don't get on, the longest stuck first. */
    @ReadOperation
    public List<Stuck> stuck() {
        return sagas.stuck(MOST_STUCK);
    }

    /** One saga with its history. */
    @ReadOperation
    public WebEndpointResponse<Dossier> one(@Selector String id) {
        UUID sagaId = uuid(id);
        return Optional.ofNullable(sagaId)
                .flatMap(sagas::find)
                .map(WebEndpointResponse::new)
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /**
     * Does what the verb says; no verb sets a state.
     *
     * @param by who
     * @param reason why
     * @param step of {@code mark-undone}
     * @param evidence of {@code mark-undone}
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, String>> act(
            @Selector String id,
            @Selector String verb,
            String by,
            String reason,
            @Nullable String step,
            @Nullable String evidence) {
        UUID sagaId = uuid(id);
        if (sagaId == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        Operated operated;
        try {
            operated = new Operated(verb(verb, step, evidence), by, reason);
        } catch (IllegalArgumentException e) {
            return new WebEndpointResponse<>(
                    Map.of("refused", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        return sagas.operate(sagaId, operated)
                .map(disposition -> new WebEndpointResponse<>(
                        Map.of("disposition", disposition.name()),
                        disposition == Disposition.NOT_APPLICABLE ? 409 : WebEndpointResponse.STATUS_OK))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    private static Verb verb(String name, @Nullable String step, @Nullable String evidence) {
        return switch (name) {
            case "retry-now" -> new Verb.RetryNow();
            case "park" -> new Verb.Park();
            case "unpark" -> new Verb.Unpark();
            case "compensate" -> new Verb.Compensate();
            case "mark-undone" -> {
                if (step == null || evidence == null) {
                    throw new IllegalArgumentException("mark-undone needs a step and evidence");
                }
                yield new Verb.MarkUndone(step, evidence);
            }
            default ->
                throw new IllegalArgumentException("the verbs are retry-now, park, unpark, compensate and mark-undone");
        };
    }

    private static @Nullable UUID uuid(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
