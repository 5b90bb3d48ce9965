package com.finedge.once.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant; what isn't given doesn't matter.
 *
 * @param codes the codes they may have, all if empty
 * @param key the business key, as their bodies have it
 * @param olderThan the least age, by {@link DeadLetter#sentAt}
 * @param youngerThan the greatest age
 */
public record LetterFilter(
        Set<String> codes,
        @Nullable String key,
        @Nullable Duration olderThan,
        @Nullable Duration youngerThan) {

    /** All of them. */
    public static final LetterFilter ALL = new LetterFilter(Set.of(), null, null, null);

    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
    private static final int MOST_CODES = 50;

    /** @throws IllegalArgumentException for what no letter could have */
    public LetterFilter {
        codes = Set.copyOf(codes);
        if (codes.size() > MOST_CODES
                || !codes.stream().allMatch(code -> CODE.matcher(code).matches())) {
            throw new IllegalArgumentException("reason must be at most " + MOST_CODES + " codes that match " + CODE);
        }
        if (key != null && !KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("chargeId must match " + KEY);
        }
        if ((olderThan != null && olderThan.isNegative()) || (youngerThan != null && youngerThan.isNegative())) {
            throw new IllegalArgumentException("an age isn't negative");
        }
    }

    /** Whether the letter is meant. */
    public boolean matches(DeadLetter letter, Reading reading, Instant now) {
        Duration age = Duration.between(letter.sentAt(), now);
        return (codes.isEmpty() || codes.contains(letter.code()))
                && (key == null
                        || (reading instanceof Reading.Valid valid
                                && valid.key().key().equals(key)))
                && (olderThan == null || age.compareTo(olderThan) >= 0)
                && (youngerThan == null || age.compareTo(youngerThan) < 0);
    }
}
