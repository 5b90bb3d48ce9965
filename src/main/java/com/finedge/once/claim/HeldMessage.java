package com.finedge.once.claim;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A received message, as far as holding it is concerned. */
public interface HeldMessage {

    /**
     * Hides it from others for that long from now.
     *
     * @return completes with false where the message is no longer ours to hide, exceptionally where nobody knows
     */
    CompletableFuture<Boolean> hide(Duration visibility);

    /** Names it in the log. */
    @Override
    String toString();
}
