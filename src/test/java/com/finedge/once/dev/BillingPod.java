package com.finedge.once.dev;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.support.OnceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/** Once's billing in a JVM of its own, as its callers see it. */
final class BillingPod implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final OnceProcess process;
    private final URI url;
    private final HttpClient http = HttpClient.newHttpClient();

    private BillingPod(OnceProcess process, URI url) {
        this.process = process;
        this.url = url;
    }

    /** Starts it and waits until it answers. */
    static BillingPod start(Map<String, String> settings) {
        int port = freePort();
        Map<String, String> all = new HashMap<>(settings);
        all.put("server.port", Integer.toString(port));
        return new BillingPod(OnceProcess.start(all).awaitStart(), URI.create("http://127.0.0.1:" + port));
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks for a charge of 19.90 EUR, its id the key of the request, and returns the answer. */
    String raise(String chargeId) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(url.resolve("/charges"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"" + chargeId + "\"")
                .POST(BodyPublishers.ofString("""
                        {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"19.90",\
                        "currency":"EUR","dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId)))
                .build());
        if (answer.statusCode() != 201) {
            throw new IllegalStateException("%s was not raised: %s".formatted(chargeId, answer.body()));
        }
        return answer.body();
    }

    /** What billing knows of the charge: RAISED, RECOVERED or FAILED. */
    String stateOf(String chargeId) {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(url.resolve("/charges/" + chargeId)).build());
        try {
            return JSON.readTree(answer.body()).path("state").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
        http.close();
    }
}
