package com.finedge.once.saga;

/**
 * What a saga tells everyone about itself; what its steps have done is told by their participants.
 *
 * @param completed it has ended with all steps done
 * @param cancelled it has ended with all of them undone
 * @param cannotBeCancelled it was asked to turn back and can't any more
 */
public record Facts(MessageTemplate completed, MessageTemplate cancelled, MessageTemplate cannotBeCancelled) {}
