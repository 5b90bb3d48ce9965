package com.finedge.once.contract;

import java.util.Optional;

/**
 * A message breaks its contract: it will never become valid, so trying it again is no use.
 *
 * <p>The text names the field and the rule and never a value of the message, and there is no cause that could: it may
 * go into logs, metrics and queue attributes as it is.
 */
public final class InvalidMessageException extends IllegalArgumentException {

    /** Which kind of rule was broken; the name is stable and fit for a metric tag. */
    public enum Code {
        /** Not exactly one JSON document: blank, a byte order mark, wrong syntax, or content after the end. */
        NOT_JSON,
        /** An object holds one name twice, so readers could disagree about its value. */
        DUPLICATE_FIELD,
        /** Longer, deeper or with longer names or numbers than any message of the contract needs to be. */
        TOO_LARGE,
        /** An SNS envelope that isn't one complete notification around one message. */
        SNS_ENVELOPE,
        /** A version of the message that this code doesn't know. */
        UNSUPPORTED_VERSION,
        /** A required field is absent or null. */
        MISSING_FIELD,
        /** A value is of another JSON type than the contract says; coercion is never tried. */
        WRONG_TYPE,
        /** A value of the right type that breaks the field's rule. */
        INVALID_VALUE,
        /** A well-formed charge type that this application isn't configured to handle. */
        UNKNOWN_CHARGE_TYPE
    }

    private static final String WHOLE_MESSAGE = "";

    private final Code code;
    private final String field;

    /**
     * For a rule about the message as a whole.
     *
     * @param rule what the contract demands, in words that hold no value of the message
     */
    public InvalidMessageException(Code code, String rule) {
        super(rule);
        this.code = code;
        this.field = WHOLE_MESSAGE;
    }

    /**
     * For a rule about one field.
     *
     * @param field the contract's name of the field; never a name that comes from the message
     * @param rule what the contract demands, in words that hold no value of the message
     */
    public InvalidMessageException(Code code, String field, String rule) {
        super(field + ": " + rule);
        this.code = code;
        this.field = field;
    }

    /** The kind of rule that was broken. */
    public Code code() {
        return code;
    }

    /** The field that broke the rule; empty where it was the message as a whole. */
    public Optional<String> field() {
        return Optional.of(field).filter(name -> !name.equals(WHOLE_MESSAGE));
    }
}
