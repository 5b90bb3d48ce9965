package com.finedge.once.deadletter;

import java.util.regex.Pattern;

/** The beginning of a body that can't be read: its shape and the names of fields, and no value. */
final class Masked {

    private static final int LONGEST = 160;

    /** Words of the contract, which are nobody's data. */
    private static final Pattern VALUE = Pattern.compile("(?<![\\p{L}\\p{M}\\p{N}])"
            + "(?!(?:schemaVersion|eventId|chargeId|accountId|chargeType|amount|currency|dueAt|occurredAt)"
            + "(?![\\p{L}\\p{M}\\p{N}]))[\\p{L}\\p{M}\\p{N}]+");

    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    private Masked() {}

    static String excerpt(String body) {
        String beginning = body.substring(0, Math.min(body.length(), LONGEST));
        String masked = VALUE.matcher(beginning).replaceAll("*");
        return UNPRINTABLE.matcher(masked).replaceAll(" ").strip();
    }
}
