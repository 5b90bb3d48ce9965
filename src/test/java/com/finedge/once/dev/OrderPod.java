package com.finedge.once.dev;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.support.OnceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Once's order sagas in a JVM of their own, as their callers see them. */
public final class OrderPod implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

    private final Map<String, String> settings;
    private final URI orders;
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile OnceProcess process;

    private OrderPod(Map<String, String> settings, URI orders) {
        this.settings = settings;
        this.orders = orders;
        this.process = OnceProcess.start(settings);
    }

    /** Starts it, and doesn't wait for it. */
    public static OrderPod start(Map<String, String> settings) {
        return start(settings, "order-saga");
    }

    /** The same with the sagas' role among others. */
    public static OrderPod start(Map<String, String> settings, String roles) {
        int port = BillingPod.freePort();
        Map<String, String> all = new HashMap<>(settings);
        all.put("once.roles", roles);
        all.put("server.port", Integer.toString(port));
        return new OrderPod(all, URI.create("http://127.0.0.1:%d/orders".formatted(port)));
    }

    public OrderPod awaitStart() {
        process.awaitStart();
        return this;
    }

    /** Places an order of 19.90 EUR and returns the status of the answer. */
    public int place(String orderId) throws IOException {
        return send(HttpRequest.newBuilder(orders)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("""
                                {"orderId":"%s","customerId":"C-42","amount":"19.90","currency":"EUR",\
                                "items":[{"sku":"S-1","quantity":2}]}""".formatted(orderId))))
                .statusCode();
    }

    /** Asks to cancel an order and returns the status of the answer. */
    public int cancel(String orderId) throws IOException {
        return send(HttpRequest.newBuilder(of(orderId)).DELETE()).statusCode();
    }

    /** What is known of an order. */
    public JsonNode find(String orderId) {
        try {
            return JSON.readTree(send(HttpRequest.newBuilder(of(orderId))).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private URI of(String orderId) {
        return URI.create(orders + "/" + orderId);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.timeout(LONGEST_CALL).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether it takes messages and requests, as far as its output says. */
    public boolean hasStarted() {
        return process.said("Started StoppableOnce") && process.isAlive();
    }

    /** Its process. */
    public OnceProcess process() {
        return process;
    }

    /** SIGKILL, and the start of its successor on the same port. */
    public void restart() {
        process.kill();
        process = OnceProcess.start(settings);
    }

    @Override
    public void close() {
        process.close();
        http.close();
    }
}
