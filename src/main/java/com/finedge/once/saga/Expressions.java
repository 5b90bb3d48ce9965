package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/** Turns the expressions of a definition into values. */
@FunctionalInterface
public interface Expressions {

    /**
     * What an expression can see.
     *
     * @param saga the saga's own {@link SagaDefinition#OWN_NAMES}
     * @param reply the answer of a participant; empty where there is none
     */
    record Scope(SagaData data, SagaData saga, SagaData reply) {

        /** What a placeholder looks into. */
        public SagaData of(Template.Root root) {
            return switch (root) {
                case DATA -> data;
                case SAGA -> saga;
                case REPLY -> reply;
            };
        }
    }

    /**
     * The value: of a single placeholder the value itself, whatever it is; of anything else a text.
     *
     * @param expression in the form of a {@link Template}
     * @return nothing if a placeholder has no value
     */
    @Nullable
    Object evaluate(String expression, Scope scope);
}
