package com.finedge.once.deadletter;

/** What came of sending a corrected letter. */
public sealed interface ReplaceResult {

    /** It was sent, and the old one is deleted. */
    record Sent() implements ReplaceResult {}

    /** The old letter wasn't found; it may be hidden for a moment. */
    record NotFound() implements ReplaceResult {}

    /** The corrected body is no valid message either. */
    record StillInvalid(Reading.Invalid reading) implements ReplaceResult {}

    /** The old letter is a valid message, for which there is the redrive. */
    record NotInvalid() implements ReplaceResult {}
}
