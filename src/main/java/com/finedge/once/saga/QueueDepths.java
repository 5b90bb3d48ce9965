package com.finedge.once.saga;

import java.util.Set;

/** Looks into queues. */
@FunctionalInterface
public interface QueueDepths {

    /** Those of the queues that hold messages; one that can't be asked may hold some. */
    Set<String> filled(Set<String> queues);
}
