package com.finedge.once.saga;

/** A saga goes by a version of its definition that this process doesn't have: others have to see to it. */
public final class UnknownVersionException extends RuntimeException {

    UnknownVersionException(SagaDefinitions.DefinitionKey definition) {
        super("%s isn't known here, and a saga is under way by it".formatted(definition));
    }
}
