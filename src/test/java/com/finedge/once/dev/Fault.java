package com.finedge.once.dev;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that goes wrong with the calls for one charge, or for one order.
 *
 * @param kind what goes wrong
 * @param on which call it befalls, the debit where nothing is said
 * @param code the refusal's code; only and always with {@link Kind#REJECT}
 * @param status the HTTP status, 429 or 500 to 599, 503 where nothing is said; only with {@link Kind#UNAVAILABLE}
 * @param times how many calls it befalls, at least 1; every one until it is cleared where nothing is said
 * @param delay how long the answer is held; 30 s for the timeouts where nothing is said, required by {@link Kind#SLOW}
 */
public record Fault(
        Kind kind,
        Call on,
        @Nullable String code,
        @Nullable Integer status,
        @Nullable Integer times,
        @Nullable Duration delay) {

    /** What can go wrong. */
    public enum Kind {
        /** The bank refuses for good: 422 with the code, nothing happens. A debit already made is still confirmed. */
        REJECT,
        /** The bank is out of order: the status, nothing happens. */
        UNAVAILABLE,
        /** The request is lost: nothing happens, and the answer comes when the client has given up. */
        TIMEOUT_BEFORE,
        /** The answer is lost: it happens, and the answer comes when the client has given up. */
        TIMEOUT_AFTER,
        /** It happens, and is answered, after the delay. */
        SLOW
    }

    /** The calls that a fault can befall. */
    public enum Call {
        @JsonProperty("debit")
        DEBIT,
        @JsonProperty("notification")
        NOTIFICATION,
        @JsonProperty("payment")
        PAYMENT,
        @JsonProperty("payment-query")
        PAYMENT_QUERY,
        @JsonProperty("refund")
        REFUND
    }

    private static final Duration PAST_ANY_TIMEOUT = Duration.ofSeconds(30);

    /** @throws IllegalArgumentException with a sentence, when a part is missing, out of range or not of this kind */
    public Fault(
            @Nullable Kind kind,
            @Nullable Call on,
            @Nullable String code,
            @Nullable Integer status,
            @Nullable Integer times,
            @Nullable Duration delay) {
        if (kind == null) {
            throw new IllegalArgumentException("A fault needs a \"kind\".");
        }
        boolean timeout = kind == Kind.TIMEOUT_BEFORE || kind == Kind.TIMEOUT_AFTER;
        require((kind == Kind.REJECT) == (code != null), "A \"code\" goes with REJECT, always and only.");
        require(status == null || kind == Kind.UNAVAILABLE, "A \"status\" goes with UNAVAILABLE only.");
        require(
                status == null || status == 429 || (status >= 500 && status <= 599),
                "The \"status\" must be 429 or from 500 to 599.");
        require(times == null || times >= 1, "\"times\" must be at least 1.");
        require(delay == null || timeout || kind == Kind.SLOW, "A \"delay\" goes with the timeouts and SLOW only.");
        require(delay != null || kind != Kind.SLOW, "SLOW needs a \"delay\", like \"PT5S\".");
        require(delay == null || !delay.isNegative(), "The \"delay\" must not be negative.");
        this.kind = kind;
        this.on = on == null ? Call.DEBIT : on;
        this.code = code;
        this.status = kind == Kind.UNAVAILABLE && status == null ? Integer.valueOf(503) : status;
        this.times = times;
        this.delay = timeout && delay == null ? PAST_ANY_TIMEOUT : delay;
    }

    /** The debit is refused for good with this code. */
    public static Fault reject(String code) {
        return new Fault(Kind.REJECT, null, code, null, null, null);
    }

    /** Calls are answered with this status, 429 or 500 to 599. */
    public static Fault unavailable(int status) {
        return new Fault(Kind.UNAVAILABLE, null, null, status, null, null);
    }

    /** The request is lost and nothing happens. */
    public static Fault timeoutBefore() {
        return new Fault(Kind.TIMEOUT_BEFORE, null, null, null, null, null);
    }

    /** It happens and the answer is lost. */
    public static Fault timeoutAfter() {
        return new Fault(Kind.TIMEOUT_AFTER, null, null, null, null, null);
    }

    /** It happens, and is answered, after the delay. */
    public static Fault slow(Duration delay) {
        return new Fault(Kind.SLOW, null, null, null, null, delay);
    }

    /** The same for so many calls only. */
    public Fault times(int calls) {
        return new Fault(kind, on, code, status, calls, delay);
    }

    /** The same on the notification in place of the debit. */
    public Fault onNotification() {
        return new Fault(kind, Call.NOTIFICATION, code, status, times, delay);
    }

    /** The same on another call. */
    public Fault on(Call other) {
        return new Fault(kind, other, code, status, times, delay);
    }

    /** The same with answers held so long. */
    public Fault delayedBy(Duration holding) {
        return new Fault(kind, on, code, status, times, holding);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
