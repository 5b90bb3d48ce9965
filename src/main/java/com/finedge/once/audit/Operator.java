package com.finedge.once.audit;

import java.util.regex.Pattern;

/**
 * Who does something by hand, and why.
 *
 * @param who the name, 1 to 64 characters
 * @param why the reason in the operator's own words, 1 to 256 characters; no personal data
 */
public record Operator(String who, String why) {

    static final int LONGEST_NAME = 64;
    static final int LONGEST_REASON = 256;

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");

    /** @throws IllegalArgumentException if one of them is blank, too long or has control characters */
    public Operator {
        who = checked("who", who, LONGEST_NAME);
        why = checked("why", why, LONGEST_REASON);
    }

    static String checked(String name, String text, int longest) {
        String stripped = text.strip();
        if (stripped.isEmpty() || stripped.length() > longest) {
            throw new IllegalArgumentException(name + " must have 1 to " + longest + " characters");
        }
        if (CONTROL.matcher(stripped).find()) {
            throw new IllegalArgumentException(name + " must have no control characters");
        }
        return stripped;
    }
}
