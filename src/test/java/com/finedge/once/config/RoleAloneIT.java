package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.billing.Billing;
import com.finedge.once.billing.ChargeRequest;
import com.finedge.once.billing.IdempotencyKey;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderAudit;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.order.Orders;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A role without the others does its work where what only they need isn't there, and never tries to reach it. */
class RoleAloneIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final LocalResources charges = SERVICES.fresh();
    private final OrderQueues orders = OrderQueues.unique().createIn(SERVICES.sqs());
    private final AbsentServer absent = new AbsentServer();

    /** Hangs up on whoever connects, and counts them. */
    private static final class AbsentServer implements AutoCloseable {

        private final ServerSocket socket;
        private final AtomicInteger connections = new AtomicInteger();

        AbsentServer() {
            try {
                socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            Thread.ofVirtual().start(this::hangUp);
        }

        private void hangUp() {
            try {
                while (true) {
                    try (Socket connection = socket.accept()) {
                        assertThat(connection.isConnected()).isTrue();
                        connections.incrementAndGet();
                    }
                }
            } catch (IOException e) {
                // It was closed.
            }
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @AfterEach
    void nobodyTriedToReachIt() throws IOException {
        absent.close();
        assertThat(absent.connections).hasValue(0);
    }

    private Map<String, String> settings(String roles) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(charges));
        settings.putAll(orders.properties());
        settings.put("once.sagas.queue-prefix", orders.prefix());
        settings.put("once.roles", roles);
        return settings;
    }

    @Test
    void chargeRecoveryAloneRecoversAChargeWithoutPostgresql() {
        Map<String, String> settings = settings("charge-recovery");
        settings.put("spring.datasource.url", "jdbc:postgresql://" + absent.address() + "/once");
        String chargeId = Events.newChargeId();
        Queue queue = Queue.named(SERVICES.sqs(), charges.queue());
        queue.send(Events.chargeDue(chargeId));

        try (RunningOnce once = RunningOnce.start(settings)) {
            await().atMost(LONGEST).until(() -> queue.size() == 0);
            assertThat(once.bean(OnceProperties.class).roles()).containsExactly(Role.CHARGE_RECOVERY);
        }
        assertThat(SERVICES.bank().debits(chargeId)).hasSize(1);
    }

    private PostgresServer.Database withoutDynamoDbAndBank(Map<String, String> settings) {
        PostgresServer.Database database = SERVICES.postgres().fresh();
        settings.putAll(database.properties());
        for (String server : List.of("aws.dynamodb-endpoint", "core-banking.url", "notifications.url")) {
            settings.put("once." + server, "http://" + absent.address());
        }
        return database;
    }

    @Test
    void billingAloneRaisesAChargeWithoutDynamoDbAndBank() {
        Map<String, String> settings = settings("billing");
        withoutDynamoDbAndBank(settings);
        Queue queue = Queue.named(SERVICES.sqs(), charges.queue());

        try (RunningOnce once = RunningOnce.start(settings)) {
            once.bean(Billing.class)
                    .raise(
                            new IdempotencyKey("k-1"),
                            new ChargeRequest(
                                    "CHG-1",
                                    "ACC-42",
                                    "SMS_ALERT_FEE",
                                    "19.90",
                                    "EUR",
                                    Instant.parse("2026-03-01T00:00:00Z")),
                            null);
            await().atMost(LONGEST).until(() -> queue.size() == 1);
        }
    }

    @Test
    void ordersAloneAreCompletedWithoutDynamoDbAndBank() {
        Map<String, String> settings = settings("order-saga,order-participants");
        OrderAudit audit =
                new OrderAudit(withoutDynamoDbAndBank(settings), Queue.named(SERVICES.sqs(), orders.events()));

        try (RunningOnce once = RunningOnce.start(settings)) {
            once.bean(Orders.class)
                    .place(
                            new OrderRequest("O-1", "C-1", "19.90", "EUR", List.of(new OrderPlaced.Item("SKU-1", 1))),
                            null,
                            null);
            await().atMost(LONGEST).until(() -> audit.ended("COMPLETED") == 1);
        }
    }
}
