package com.finedge.once.deadletter;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it may be shown: no body, no account.
 *
 * @param id the queue's id of it
 * @param code why it is there, in one word
 * @param reason the same for people
 * @param scope the scope of its claim, of a valid message
 * @param key its business key, of a valid message
 * @param fingerprint its content, of a valid message
 * @param invalid which rule it breaks, of an invalid one
 * @param excerpt its beginning, of an invalid one, with all values masked
 * @param sentAt when it was sent there
 * @param failedAt when its work ended, if somebody said
 * @param redrives how often it was sent back before
 * @param claim the claim of its key, if there is one
 * @param evidence what the performer of the effect says, where it was asked: HAPPENED, NOT_HAPPENED or UNSURE
 * @param verdict what a redrive would do, in one word
 * @param text the same for people
 */
public record LetterView(
        String id,
        String code,
        @Nullable String reason,
        @Nullable String scope,
        @Nullable String key,
        @Nullable String fingerprint,
        @Nullable String invalid,
        @Nullable String excerpt,
        Instant sentAt,
        @Nullable Instant failedAt,
        int redrives,
        @Nullable ClaimView claim,
        @Nullable String evidence,
        String verdict,
        String text) {

    /**
     * A claim as it may be shown.
     *
     * @param fingerprint the content it was claimed for; another than the letter's is a conflict
     * @param first when the key was first claimed
     * @param last when it last changed
     */
    public record ClaimView(
            String state,
            @Nullable String outcome,
            long attempts,
            Instant first,
            Instant last,
            Instant leaseUntil,
            String fingerprint,
            Map<String, String> detail) {}
}
