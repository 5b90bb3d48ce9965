package com.finedge.once.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.DefaultApplicationArguments;

/** Redrives dead letters by the operators' API and says how it gets on; {@code make redrive} calls it. */
public final class RedriveClient {

    static final String HELP = """
            Usage: redrive --why=<reason> [--option=value ...]

              --url=http://127.0.0.1:8081     where the console is (make redrive URL=...)
              --user=<name>                   who asks; the password is taken from ONCE_PASSWORD
              --why=<reason>                  lands in the claims and in the audit log; needed (make redrive WHY=...)
              --in-earnest                    does it; without this it only says what would be done
              --reason=<code>                 only letters of this code; may be given more than once
              --charge-id=<id>                only letters of this charge
              --older-than=PT1H               only letters that are at least so old
              --younger-than=PT24H            only letters that are younger
              --include-rejected              also what the bank has decided against
              --force                         also what has come back three times
              --batch=10                      letters received at a time, 1 to 10
              --rate=50                       letters a second, 1 to 1000
              --max-in-flight=10              letters at the same time, 1 to 100
              --help                          this text

            Ends with 0 if it has been through all letters and none has failed, else with 1.
            """;

    private static final Set<String> NAMES = Set.of(
            "url",
            "user",
            "why",
            "in-earnest",
            "reason",
            "charge-id",
            "older-than",
            "younger-than",
            "include-rejected",
            "force",
            "batch",
            "rate",
            "max-in-flight",
            "help");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int ACCEPTED = 202;
    private static final int OK = 200;

    private final DefaultApplicationArguments given;
    private final String password;
    private final PrintStream out;
    private final URI url;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private RedriveClient(DefaultApplicationArguments given, String password, PrintStream out) {
        this.given = given;
        this.password = password;
        this.out = out;
        this.url = URI.create(one("url", "http://127.0.0.1:8081"));
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.getenv().getOrDefault("ONCE_PASSWORD", ""), args));
    }

    /**
     * @param password of the user whom the arguments name
     * @return what the process is to exit with
     */
    static int run(PrintStream out, String password, String... args) {
        var given = new DefaultApplicationArguments(args);
        if (given.containsOption("help")) {
            out.print(HELP);
            return 0;
        }
        List<String> unknown = given.getOptionNames().stream()
                .filter(name -> !NAMES.contains(name))
                .toList();
        if (!unknown.isEmpty() || !given.getNonOptionArgs().isEmpty()) {
            out.println("redrive: not understood: " + unknown + given.getNonOptionArgs());
            out.print(HELP);
            return 1;
        }
        if (!given.containsOption("why")) {
            out.println("redrive: say why (--why=...): it lands in the claims and in the audit log");
            return 1;
        }
        try {
            return new RedriveClient(given, password, out).redrive();
        } catch (IllegalArgumentException | IOException e) {
            out.println("redrive: " + e);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private String one(String name, String otherwise) {
        List<String> values = given.getOptionValues(name);
        return values == null || values.isEmpty() ? otherwise : values.getLast();
    }

    private @Nullable String one(String name) {
        String value = one(name, "");
        return value.isEmpty() ? null : value;
    }

    private int redrive() throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request("/dead-letters/redrive")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(order().toString()))
                .build());
        if (answer.statusCode() != ACCEPTED) {
            out.println("redrive: refused with " + answer.statusCode() + ": " + said(answer));
            return 1;
        }
        JsonNode progress = JSON.readTree(answer.body());
        String id = progress.path("id").asText();
        String line = "";
        while (progress.path("status").asText().equals("RUNNING")) {
            LockSupport.parkNanos(POLL_NANOS);
            HttpResponse<String> next =
                    send(request("/dead-letters/redrives/" + id).build());
            if (next.statusCode() != OK) {
                out.println("redrive: " + id + " can't be followed: " + next.statusCode() + " " + said(next));
                return 1;
            }
            progress = JSON.readTree(next.body());
            String now = line(progress);
            if (!now.equals(line)) {
                out.println(now);
                line = now;
            }
        }
        return report(progress);
    }

    private ObjectNode order() {
        ObjectNode order = JSON.createObjectNode();
        order.put("why", one("why", ""));
        order.put("dryRun", !given.containsOption("in-earnest"));
        List<String> reasons = given.getOptionValues("reason");
        if (reasons != null) {
            reasons.forEach(order.withArray("reasons")::add);
        }
        put(order, "chargeId", one("charge-id"));
        put(order, "olderThan", one("older-than"));
        put(order, "youngerThan", one("younger-than"));
        order.put("includeRejected", given.containsOption("include-rejected"));
        order.put("force", given.containsOption("force"));
        order.put("batch", Integer.parseInt(one("batch", "10")));
        order.put("rate", Integer.parseInt(one("rate", "50")));
        order.put("maxInFlight", Integer.parseInt(one("max-in-flight", "10")));
        return order;
    }

    private static void put(ObjectNode order, String name, @Nullable String value) {
        if (value != null) {
            order.put(name, value);
        }
    }

    private static long handled(JsonNode progress) {
        long handled =
                progress.path("changed").asLong() + progress.path("failed").asLong();
        for (JsonNode count : progress.path("verdicts")) {
            handled += count.asLong();
        }
        return handled;
    }

    private static String line(JsonNode progress) {
        return String.format(
                Locale.ROOT,
                "redrive: %d done, %d left, %.0f a second, %s to go",
                handled(progress),
                progress.path("left").asLong(),
                progress.path("perSecond").asDouble(),
                progress.path("timeLeft").asText("?"));
    }

    private int report(JsonNode progress) {
        boolean dry = progress.path("order").path("dryRun").asBoolean();
        progress.path("verdicts")
                .properties()
                .forEach(verdict -> out.printf(
                        "redrive: %-24s %6d%n",
                        verdict.getKey(), verdict.getValue().asLong()));
        long failed = progress.path("failed").asLong();
        String status = progress.path("status").asText();
        out.printf(
                "redrive: %s%s, %d letters%s, %d changed meanwhile, %d failed, %d not meant%s%n",
                status,
                dry ? " (dry run: nothing was done)" : "",
                handled(progress),
                dry ? " looked at" : "",
                progress.path("changed").asLong(),
                failed,
                progress.path("skipped").asLong(),
                progress.hasNonNull("trouble") ? ": " + progress.path("trouble").asText() : "");
        return status.equals("FINISHED") && failed == 0 ? 0 : 1;
    }

    private static String said(HttpResponse<String> answer) {
        try {
            JsonNode problem = JSON.readTree(answer.body());
            return problem.path("title").asText() + ": "
                    + problem.path("detail").asText();
        } catch (IOException e) {
            return "no problem document";
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(LONGEST_ANSWER)
                .header("Accept", "application/json, application/problem+json");
        String user = one("user");
        if (user != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, BodyHandlers.ofString());
    }
}
