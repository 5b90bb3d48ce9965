package com.finedge.once.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this process consumes, with what their dead-letter queues must be.
 *
 * @param all in the order of the roles
 */
record WatchedQueues(List<Watched> all) {

    private static final String BY_POLICY = "by its redrive policy";

    /**
     * A queue with its dead-letter queue.
     *
     * @param deadLetters the name that a property gives; where none does, the queue's redrive policy says
     * @param property that property, or that there is none
     */
    record Watched(String queue, @Nullable String deadLetters, String property) {}

    static WatchedQueues of(
            Set<Role> roles, ChargesProperties charges, OrdersProperties orders, SagasProperties sagas) {
        List<Watched> all = new ArrayList<>();
        if (roles.contains(Role.CHARGE_RECOVERY) || roles.contains(Role.CONSOLE)) {
            all.add(new Watched(charges.queue(), charges.deadLetterQueue(), "once.charges.dead-letter-queue"));
        }
        String outcomes = charges.outcomesQueue();
        if (roles.contains(Role.BILLING) && outcomes != null) {
            all.add(new Watched(outcomes, null, BY_POLICY));
        }
        if (roles.contains(Role.ORDER_SAGA)) {
            all.add(new Watched(
                    sagas.queue(sagas.queue()), sagas.queue(sagas.deadLetterQueue()), "once.sagas.dead-letter-queue"));
        }
        if (roles.contains(Role.ORDER_PARTICIPANTS)) {
            orders.commandQueues().forEach(queue -> all.add(new Watched(queue, null, BY_POLICY)));
        }
        return new WatchedQueues(List.copyOf(all));
    }
}
