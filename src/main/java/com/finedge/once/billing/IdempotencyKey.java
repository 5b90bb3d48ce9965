package com.finedge.once.billing;

import java.util.regex.Pattern;

/**
 * What the sender of a request names it by, the same however often it is sent.
 *
 * @param value 1 to 128 printable ASCII characters, not all blank, and not a word that programs write for an absent value
 *     ({@code null}, {@code none}, {@code nil}, {@code undefined}, {@code nan} in any case): all broken senders would
 *     share it
 */
public record IdempotencyKey(String value) {

    private static final Pattern FORM =
            Pattern.compile("(?! *\\z)(?!(?i:null|none|nil|undefined|nan)\\z)[\\x20-\\x7e]{1,128}");

    /** @throws IllegalArgumentException if the value is no key; the text doesn't repeat it */
    public IdempotencyKey {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "must be 1 to 128 printable ASCII characters and not a word for no value");
        }
    }
}
