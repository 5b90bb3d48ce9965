package com.finedge.once.dev;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What every request to the bank must contain. */
final class Required {

    private static final Pattern AMOUNT = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    private Required() {}

    static void text(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("The field \"" + field + "\" is missing or blank.");
        }
    }

    static void amount(@Nullable String amount) {
        if (amount == null || !AMOUNT.matcher(amount).matches()) {
            throw new IllegalArgumentException(
                    "The field \"amount\" must be a decimal number in a string, like \"19.90\".");
        }
    }
}
