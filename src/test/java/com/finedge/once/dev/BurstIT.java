package com.finedge.once.dev;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.support.RunningOnce;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The burst against billing, and against servers that misbehave. */
class BurstIT {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int burst(String... args) throws InterruptedException {
        return Burst.run(new PrintStream(output, true, UTF_8), args);
    }

    private String lines() {
        return output.toString(UTF_8);
    }

    /** A server that answers as the handler does. */
    private int burstAgainst(HttpHandler handler, String... args) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/charges", handler);
        server.start();
        try {
            String[] all = List.of(args).toArray(new String[args.length + 1]);
            all[args.length] = "--url=http://127.0.0.1:" + server.getAddress().getPort();
            return burst(all);
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes(UTF_8));
        exchange.close();
    }

    @Test
    void everyChargeOfABurstIsRaisedAndAnnouncedOnce() throws InterruptedException {
        LocalServices services = LocalServices.shared();
        PostgresServer.Database database = services.postgres().fresh();
        Map<String, String> settings = new HashMap<>(services.properties(services.fresh()));
        settings.putAll(database.properties());
        settings.put("once.roles", "billing");
        int exit;
        try (RunningOnce once = RunningOnce.start(settings)) {
            exit = burst("--charges=300", "--at-once=20", "--url=" + once.url() + "/");
        }

        assertThat(exit).as(lines()).isZero();
        assertThat(lines()).contains("burst: PASS 300 of 300 charges accepted");
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        assertThat(jdbc.sql("SELECT count(DISTINCT charge_id) FROM charge")
                        .query(Long.class)
                        .single())
                .isEqualTo(300);
        assertThat(jdbc.sql("SELECT count(*) FROM outbox").query(Long.class).single())
                .isEqualTo(300);
    }

    @Test
    void whatGetsLostOrComesTooEarlyIsSentAgainWithTheSameKeyAndBody() throws IOException, InterruptedException {
        Map<String, List<String>> bodies = new ConcurrentHashMap<>();

        int exit = burstAgainst(
                exchange -> {
                    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
                    List<String> sent = bodies.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>());
                    sent.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                    switch (sent.size()) {
                        case 1 -> exchange.close();
                        case 2 -> answer(exchange, 503, "");
                        case 3 -> answer(exchange, 409, "{\"type\":\"urn:once:problem:request-in-flight\"}");
                        default -> answer(exchange, 201, "{}");
                    }
                },
                "--charges=3");

        assertThat(exit).as(lines()).isZero();
        assertThat(lines()).contains("PASS 3 of 3", "9 requests sent again");
        assertThat(bodies).hasSize(3);
        assertThat(bodies.values())
                .allSatisfy(sent -> assertThat(sent).hasSize(4).containsOnly(sent.get(0)));
    }

    @Test
    void aRefusalIsNotTriedAgainAndFailsTheBurst() throws IOException, InterruptedException {
        List<String> keys = new CopyOnWriteArrayList<>();

        int exit = burstAgainst(
                exchange -> {
                    keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                    answer(exchange, keys.size() == 1 ? 400 : 201, "no");
                },
                "--charges=5",
                "--at-once=1");

        assertThat(exit).isEqualTo(1);
        assertThat(lines()).contains("burst: 1 refused: 400 no", "burst: FAIL 4 of 5");
        assertThat(keys).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void billingThatIsNotThereFailsTheBurst() throws InterruptedException {
        assertThat(burst("--charges=2", "--tries=2", "--url=http://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(lines()).contains("2 refused: java.net.ConnectException", "FAIL 0 of 2", "2 requests sent again");
    }

    @Test
    void itSaysWhatItCanDo() throws InterruptedException {
        assertThat(burst("--help")).isZero();
        assertThat(lines()).isEqualTo(Burst.HELP);
    }

    @Test
    void itRefusesWhatItDoesNotKnow() throws InterruptedException {
        assertThat(burst("--charge=5")).isEqualTo(2);
        assertThat(burst("--charges=many")).isEqualTo(2);
        assertThat(burst("--charges=0")).isEqualTo(2);
        assertThat(burst("--url=http://not a url")).isEqualTo(2);
        assertThat(lines()).contains("unknown option or argument: charge", "\"many\"", "at least 1", "--help");
    }
}
