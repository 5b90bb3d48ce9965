package com.finedge.once.claim;

import java.util.regex.Pattern;

/**
 * Names one effect: the business key of a unit of work within the scope that performs it.
 *
 * <p>The key is the business's own (a charge id), never the queue's message id: the same charge sent twice has two
 * message ids.
 *
 * @param scope what performs the effect, for instance {@code charge-recovery}: lower case, digits and hyphens, at
 *     most 64
 * @param key the business key exactly as it was sent: 1 to 128 of letters, digits and {@code . _ : -}, beginning with
 *     a letter or digit
 */
public record ClaimKey(String scope, String key) {

    private static final Pattern SCOPE = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");

    /** @throws IllegalArgumentException for a scope or key of another form: a blank key would be shared by all */
    public ClaimKey {
        if (!isScope(scope)) {
            throw new IllegalArgumentException("a claim's scope must match " + SCOPE);
        }
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("a claim's key must match " + KEY);
        }
    }

    /** Whether it has the form of a scope. */
    public static boolean isScope(String scope) {
        return SCOPE.matcher(scope).matches();
    }

    /** {@code <scope>#<key>}, as it is stored. */
    @Override
    public String toString() {
        return scope + "#" + key;
    }
}
