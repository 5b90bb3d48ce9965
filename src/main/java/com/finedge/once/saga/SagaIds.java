package com.finedge.once.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

/**
 * The ids of a saga and of what it sends. They are names, not numbers drawn: whoever computes one again gets the same,
 * so a repeated start makes no second saga and a repeated transition no second command.
 */
public final class SagaIds {

    private SagaIds() {}

    /** The one saga of this type and business key. */
    public static UUID saga(String type, String businessKey) {
        return of("saga", type, businessKey);
    }

    /** A step's one command in this direction, the same at every attempt. */
    public static UUID command(UUID sagaId, String step, Direction direction) {
        return of(sagaId.toString(), step, direction.name());
    }

    /** Names the message that carries a command for the n-th time. A resend is a new message: it must be answered again. */
    static String message(UUID commandId, int attempt) {
        return commandId + ":" + attempt;
    }

    /** Names the message that tells a fact of a saga, each at most once. */
    static String fact(UUID sagaId, String fact) {
        return sagaId + ":" + fact;
    }

    /** No part can hold the line feed that stands between them. */
    private static UUID of(String... parts) {
        return UUID.nameUUIDFromBytes(String.join("\n", parts).getBytes(UTF_8));
    }
}
