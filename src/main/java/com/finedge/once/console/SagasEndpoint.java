package com.finedge.once.console;

import com.finedge.once.audit.Operator;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Stuck;
import com.finedge.once.saga.Sagas;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/** Sagas on the management port: those that are stuck, one with its history, and the operator's verbs. */
@Endpoint(id = "sagas")
public final class SagasEndpoint {

    private static final int MOST_STUCK = 200;

    private final Sagas sagas;
    private final OperatorActions actions;

    public SagasEndpoint(Sagas sagas, OperatorActions actions) {
        this.sagas = sagas;
        this.actions = actions;
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
     * Does what the verb says, in the name of who has logged in; no verb sets a state.
     *
     * @param reason why
     * @param step of {@code mark-undone}
     * @param evidence of {@code mark-undone}
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, String>> act(
            SecurityContext who,
            @Selector String id,
            @Selector String verb,
            String reason,
            @Nullable String step,
            @Nullable String evidence) {
        UUID sagaId = uuid(id);
        if (sagaId == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        try {
            Verb known = SagaVerb.named(verb)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the verbs are retry-now, park, unpark, compensate and mark-undone"))
                    .verb(step, evidence);
            return actions.operate(
                            sagas,
                            sagaId,
                            known,
                            new Operator(who.getPrincipal().getName(), reason))
                    .map(disposition -> new WebEndpointResponse<>(
                            Map.of("disposition", disposition.name()),
                            disposition == Disposition.NOT_APPLICABLE ? 409 : WebEndpointResponse.STATUS_OK))
                    .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
        } catch (IllegalArgumentException e) {
            return new WebEndpointResponse<>(
                    Map.of("refused", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static @Nullable UUID uuid(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
