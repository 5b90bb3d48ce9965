package com.finedge.once.contract;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a saga and its participants say to each other.
 *
 * <p>A receiver applies each {@link #id} once. A command that is sent again has another id and must be answered again,
 * by what was recorded for its {@link #sagaId} and {@link #step}; its {@link #commandId} stays.
 */
public sealed interface SagaMessage permits SagaCommand, SagaReply {

    /** Which way a step is to go. */
    enum Direction {
        /** The step is to be done. */
        DO,
        /** It is to be undone; where it was never done, it must never be done any more. */
        UNDO
    }

    /** Names this message, the same in every repeat of it; form as {@link ChargeDueEvent#eventId}. */
    String id();

    /** What is to be done or was done, with its version, such as {@code TakePayment.v1}. */
    String type();

    /** Who sends it: lower-case ASCII letters, digits and hyphens, at most 63, the first a letter. */
    String source();

    /** When it was written; range and precision as {@link ChargeDueEvent#dueAt}. */
    Instant time();

    /** Names the saga. */
    UUID sagaId();

    /** The definition's name; form as {@link #source}. */
    String sagaType();

    /** The definition's version, from 1. */
    int definitionVersion();

    /** What the saga is about, such as the order's id; form as {@link ChargeDueEvent#eventId}. */
    String businessKey();

    /** The step's name; form as {@link #source}. */
    String step();

    /** Which of the step's two commands it is, or answers. */
    Direction direction();

    /** Names the command, the same at every attempt. */
    UUID commandId();

    /** Counts how often the command was sent, from 1. */
    int attempt();

    /** The W3C trace context to go on with, if there is one. */
    Optional<String> traceparent();

    /**
     * The values: texts, whole numbers that fit 64 bits, truth values, lists and objects, at most eight levels deep.
     * Amounts are texts, since readers of JSON disagree about decimals.
     */
    Map<String, Object> data();
}
