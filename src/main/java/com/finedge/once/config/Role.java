package com.finedge.once.config;

import java.util.Locale;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A part of the application that a process may run. */
public enum Role {
    /** Recovers charges that are due. */
    CHARGE_RECOVERY,

    /** Raises charges, publishes their events and learns what became of them. */
    BILLING,

    /** Places orders and brings each of them through payment, stock and shipping, or back. */
    ORDER_SAGA,

    /** Takes payments, reserves stock, arranges shipping and confirms orders, as sagas tell it. */
    ORDER_PARTICIPANTS,

    /** Shows operators what needs them, and does what they order: dead letters, claims, outbox and sagas. */
    CONSOLE;

    /** The roles of this process; all of them where nothing is said. */
    static Set<Role> of(Environment environment) {
        return Binder.get(environment)
                .bind("once.roles", Bindable.setOf(Role.class))
                .orElse(Set.of(values()));
    }

    /** The ids of the routes that the role can't do without. */
    public Set<String> routes() {
        return switch (this) {
            case CHARGE_RECOVERY -> Set.of("recover-charge", "delete-message", "defer-message", "dead-letter-message");
            case BILLING ->
                Set.of(
                        "relay-outbox",
                        "sweep-outbox",
                        "purge-outbox",
                        "purge-idempotency-keys",
                        "apply-charge-outcome");
            case ORDER_SAGA ->
                Set.of(
                        "relay-outbox",
                        "sweep-outbox",
                        "purge-outbox",
                        "delete-message",
                        "order-saga",
                        "saga-timers",
                        "count-sagas",
                        "dead-letter-saga-message");
            case ORDER_PARTICIPANTS ->
                Set.of(
                        "relay-outbox",
                        "sweep-outbox",
                        "purge-outbox",
                        "delete-message",
                        "payment-participant",
                        "take-payment",
                        "refund-payment",
                        "stock-participant",
                        "reserve-stock",
                        "release-stock",
                        "shipping-participant",
                        "arrange-shipping",
                        "cancel-shipment",
                        "confirm-participant",
                        "confirm-order");
            case CONSOLE -> Set.of();
        };
    }

    /** Whether it keeps its state in PostgreSQL, with an outbox and an inbox beside it. */
    boolean needsDatabase() {
        return this != CHARGE_RECOVERY;
    }

    /** As it is written in settings, for instance {@code charge-recovery}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
