package com.finedge.once.deadletter;

/** What is to be done with a dead letter. */
public sealed interface Verdict {

    /** The effect is recorded: the letter is deleted and nothing runs. */
    record Delete() implements Verdict {}

    /** The effect has happened and isn't recorded: the claim is ended as DONE, then the letter is deleted. */
    record Settle(Evidence.Happened happened) implements Verdict {}

    /** The claim is made claimable again, then the letter is sent back, then it is deleted. */
    record Reopen() implements Verdict {}

    /** Nobody holds a claim and nothing is recorded: the letter is sent back, then it is deleted. */
    record Send() implements Verdict {}

    /** Nothing is done. */
    record Stay(Reason reason) implements Verdict {}

    /** Why a letter stays. */
    enum Reason {
        /** It is no valid message, and sending it again would bring it back; it can be corrected and sent as a new one. */
        INVALID("no valid message; it can be corrected and sent as a new one"),
        /** Its key is claimed for other content, so it is not the same work. */
        CONFLICT("its key is claimed for other content"),
        /** The effect was decided against. */
        REJECTED("it was decided against; include-rejected asks once more"),
        /** Somebody holds the claim right now. */
        IN_PROGRESS("somebody is at work on it"),
        /** Whether the effect has happened can't be found out now. */
        UNCERTAIN("nobody can say now whether it has happened"),
        /** It was sent back so often that once more won't help. */
        REDRIVEN_OFTEN(
                "it was sent back %s times and came back; force sends it once more".formatted(Terms.MOST_REDRIVES));

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The same for people. */
        public String text() {
            return text;
        }
    }

    /** In one word, a closed set: for grouping, counting and pages. */
    default String word() {
        return switch (this) {
            case Delete delete -> "DELETE";
            case Settle settle -> "SETTLE";
            case Reopen reopen -> "REOPEN";
            case Send send -> "SEND";
            case Stay(Reason reason) -> "STAY_" + reason;
        };
    }

    /** What a redrive does with it and why, in a sentence without personal data. */
    default String text() {
        return switch (this) {
            case Delete delete -> "deleted: it is recorded as done, nothing runs";
            case Settle settle -> "recorded as done, since it has happened, and deleted";
            case Reopen reopen -> "its claim is reopened; it is sent back and deleted here";
            case Send send -> "sent back and deleted here: nobody holds it and nothing is recorded";
            case Stay(Reason reason) -> "stays: " + reason.text();
        };
    }

    /** Whether it goes back to where it came from. */
    default boolean sends() {
        return this instanceof Reopen || this instanceof Send;
    }
}
