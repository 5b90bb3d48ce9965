package com.finedge.once.adapter.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.RunningOnce;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each answer of the APIs to orders and shipments is one that the description has; sagas and participants in one process. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdersApiIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String[] JSON = {"Content-Type", "application/json"};

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final HttpClient http = HttpClient.newHttpClient();
    private final RunningOnce once;
    private final ApiDescription description;

    OrdersApiIT() {
        OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-saga,order-participants");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        once = RunningOnce.start(settings);
        description = new ApiDescription(Answer.to(http, "GET", once.url() + "/openapi.yaml", null)
                .response()
                .body());
    }

    @AfterAll
    void stop() {
        once.close();
        http.close();
    }

    private Answer call(String method, String path, @Nullable String body, String... headers) {
        Answer answer = Answer.to(http, method, once.url() + path, body == null ? null : body.getBytes(UTF_8), headers);
        assertThat(description.faultsOf(answer)).isEmpty();
        return answer;
    }

    private static String order(String orderId, String amount) {
        return """
                {"orderId":"%s","customerId":"C-42","amount":"%s","currency":"EUR",\
                "items":[{"sku":"S-1","quantity":2}]}""".formatted(orderId, amount);
    }

    private String placed() {
        String orderId = "O-" + UUID.randomUUID();
        assertThat(call("POST", "/orders", order(orderId, "19.90"), JSON).status())
                .isEqualTo(201);
        return orderId;
    }

    private void awaitState(String orderId, String state) {
        await().atMost(LONGEST)
                .until(() -> call("GET", "/orders/" + orderId, null).text("state"), state::equals);
    }

    @Test
    void anOrderIsPlacedAndCompleted() {
        String orderId = placed();

        awaitState(orderId, "COMPLETED");
        assertThat(call("GET", "/orders/" + orderId, null).json().path("steps")).hasSize(4);
    }

    @Test
    void anOrderOfOtherContentIsInTheWay() {
        String orderId = placed();

        Answer other = call("POST", "/orders", order(orderId, "19.91"), JSON);

        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("order-exists");
    }

    @Test
    void whatIsShippedCanNotBeCancelled() {
        String orderId = placed();
        awaitState(orderId, "COMPLETED");

        Answer refused = call("DELETE", "/orders/" + orderId, null);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("order-cannot-be-cancelled");
    }

    @Test
    void aWishToCancelIsTaken() {
        String orderId = placed();

        assertThat(call("DELETE", "/orders/" + orderId, null).status()).isIn(202, 409);
    }

    @ParameterizedTest
    @CsvSource({"GET,/orders/O-none", "DELETE,/orders/O-none"})
    void anOrderThatNobodyPlacedIsNotFound(String method, String path) {
        assertThat(call(method, path, null).problem()).isEqualTo("order-not-found");
    }

    @Test
    void whatCanNotBeReadIsRefused() {
        assertThat(call("POST", "/orders", "{}", JSON).problem()).isEqualTo("invalid-request");
        assertThat(call("POST", "/orders", "{}", "Content-Type", "text/plain").problem())
                .isEqualTo("unsupported-media-type");
        assertThat(call("POST", "/orders", "{}", "Content-Type", "*/*").problem())
                .isEqualTo("unsupported-media-type");
        assertThat(call("POST", "/orders", "x".repeat(20_000), JSON).problem()).isEqualTo("body-too-large");
        assertThat(call("POST", "/orders", order("x", "1.00").replace("\"orderId\":\"x\",", ""), JSON)
                        .text("field"))
                .isEqualTo("orderId");
    }

    @Test
    void aParcelIsDispatchedOnceItIsArranged() {
        assertThat(call("PUT", "/shipments/O-none/dispatch", null).problem()).isEqualTo("shipment-not-found");
        String orderId = placed();
        awaitState(orderId, "COMPLETED");

        assertThat(call("PUT", "/shipments/" + orderId + "/dispatch", null).status())
                .isEqualTo(204);
        assertThat(call("PUT", "/shipments/" + orderId + "/dispatch", null).status())
                .isEqualTo(204);
    }
}
