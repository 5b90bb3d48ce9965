package com.finedge.once.config;

import java.time.Duration;

/** Refusals of settings, each a sentence that names the property. */
final class Checks {

    private Checks() {}

    static void positive(String property, Duration value) {
        refuse(!value.isPositive(), "%s (%s) must be longer than nothing", property, value);
    }

    static void wholeSeconds(String property, Duration value, int least, int most) {
        boolean whole = value.equals(Duration.ofSeconds(value.toSeconds()));
        refuse(
                !whole || value.toSeconds() < least || value.toSeconds() > most,
                "%s (%s) must be whole seconds from %s to %s",
                property,
                value,
                least,
                most);
    }

    static void refuse(boolean refused, String sentence, Object... values) {
        if (refused) {
            throw new StartRefusedException(sentence.formatted(values));
        }
    }
}
