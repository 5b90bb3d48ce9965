package com.finedge.once.saga;

import java.util.List;
import java.util.stream.Collectors;

/** A definition breaks its rules: a mistake of whoever wrote it, to be found at the start. */
public final class InvalidDefinitionException extends IllegalArgumentException {

    private final transient List<DefinitionProblem> problems;

    public InvalidDefinitionException(List<DefinitionProblem> problems) {
        super(problems.stream().map(DefinitionProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** All of them, so that a team needn't find them one by one. */
    public List<DefinitionProblem> problems() {
        return problems;
    }
}
