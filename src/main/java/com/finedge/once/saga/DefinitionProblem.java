package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/**
 * A rule that a definition breaks.
 *
 * @param source where the definition was read, such as the name of its file
 * @param step the step that breaks it; none where it is the saga itself
 * @param text what is wrong and what would be right
 */
public record DefinitionProblem(String source, @Nullable String step, DefinitionRule rule, String text) {

    /** One sentence, the file and the step first. */
    @Override
    public String toString() {
        return source + (step == null ? "" : ", step " + step) + ": " + text;
    }
}
