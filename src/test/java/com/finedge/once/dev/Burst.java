package com.finedge.once.dev;

import com.finedge.once.retry.BackOff;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.DefaultApplicationArguments;

/** The end of a month: raises many charges as fast as billing takes them; {@code make burst} calls it. */
public final class Burst {

    static final String HELP = """
            Usage: burst [--option=value ...]

              --charges=1000                  how many charges are raised (make burst N=...)
              --url=http://127.0.0.1:8080     where billing is (make burst URL=...)
              --at-once=32                    how many requests are on their way at the same time
              --tries=10                      how often a request is sent, always with the same idempotency key, while
                                              billing can't be reached, answers 503 or is still at work on it
              --help                          this text

            Ends with "burst: PASS" and 0 if every charge was accepted, else with "burst: FAIL" and 1.
            """;

    private static final Set<String> NAMES = Set.of("charges", "url", "at-once", "tries", "help");
    private static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(5));
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;
    private static final String[] TYPES = {"SMS_ALERT_FEE", "ACCOUNT_MAINTENANCE_FEE", "CARD_ANNUAL_FEE"};

    private final int charges;
    private final URI target;
    private final int atOnce;
    private final int tries;
    private final PrintStream out;
    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger repeats = new AtomicInteger();
    private final Map<String, Integer> refusals = new ConcurrentSkipListMap<>();

    private Burst(int charges, URI target, int atOnce, int tries, PrintStream out) {
        if (charges < 1 || atOnce < 1 || tries < 1) {
            throw new IllegalArgumentException("charges, at-once and tries are at least 1");
        }
        this.charges = charges;
        this.target = target;
        this.atOnce = atOnce;
        this.tries = tries;
        this.out = out;
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(System.out, args));
    }

    /** @return what the process is to exit with */
    static int run(PrintStream out, String... args) throws InterruptedException {
        var given = new DefaultApplicationArguments(args);
        if (given.containsOption("help")) {
            out.print(HELP);
            return 0;
        }
        Set<String> unknown = new LinkedHashSet<>(given.getOptionNames());
        unknown.removeAll(NAMES);
        unknown.addAll(given.getNonOptionArgs());
        try {
            if (!unknown.isEmpty()) {
                throw new IllegalArgumentException("unknown option or argument: " + String.join(", ", unknown));
            }
            return new Burst(
                            Integer.parseInt(text(given, "charges", "1000")),
                            URI.create(
                                    text(given, "url", "http://127.0.0.1:8080").replaceFirst("/+$", "") + "/charges"),
                            Integer.parseInt(text(given, "at-once", "32")),
                            Integer.parseInt(text(given, "tries", "10")),
                            out)
                    .run();
        } catch (IllegalArgumentException e) {
            out.printf("burst: %s (--help lists what there is)%n", e.getMessage());
            return 2;
        }
    }

    private static String text(DefaultApplicationArguments given, String name, String otherwise) {
        var values = given.getOptionValues(name);
        return values == null || values.isEmpty() || values.get(0).isEmpty() ? otherwise : values.get(0);
    }

    private int run() throws InterruptedException {
        out.printf("burst: raising %d charges CHG-%s-1 to CHG-%s-%d at %s%n", charges, run, run, charges, target);
        long start = System.nanoTime();
        CountDownLatch working = new CountDownLatch(atOnce);
        // Without HTTP/2: its attempt to upgrade would cost the first request of every connection.
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build()) {
            for (int i = 0; i < atOnce; i++) {
                Thread.ofVirtual().start(() -> {
                    try {
                        work(http);
                    } finally {
                        working.countDown();
                    }
                });
            }
            while (!working.await(1, TimeUnit.SECONDS)) {
                progress(start);
            }
        }
        return report(start);
    }

    private void work(HttpClient http) {
        for (int number = next.incrementAndGet(); number <= charges; number = next.incrementAndGet()) {
            try {
                raise(http, number);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                refused(e.toString());
            }
        }
    }

    private void raise(HttpClient http, int number) throws InterruptedException {
        // Of the same number the same amount, in whatever order the requests run.
        SplittableRandom random = new SplittableRandom(number);
        HttpRequest request = HttpRequest.newBuilder(target)
                .timeout(LONGEST_ANSWER)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"burst-%s-%d\"".formatted(run, number))
                .POST(BodyPublishers.ofString("""
                        {"chargeId":"CHG-%s-%d","accountId":"ACC-%06d","chargeType":"%s","amount":"%d.%02d",\
                        "currency":"EUR","dueAt":"2026-03-01T00:00:00Z"}""".formatted(
                                run,
                                number,
                                random.nextInt(1_000_000),
                                TYPES[random.nextInt(TYPES.length)],
                                random.nextInt(1, 50),
                                random.nextInt(100))))
                .build();
        String last = "";
        for (int attempt = 1; attempt <= tries; attempt++) {
            if (attempt > 1) {
                repeats.incrementAndGet();
                Thread.sleep(BACK_OFF.after(attempt - 1L, random));
            }
            try {
                HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
                if (answer.statusCode() == CREATED) {
                    accepted.incrementAndGet();
                    return;
                }
                last = answer.statusCode() + " " + answer.body();
                if (!worthAnotherTry(answer)) {
                    break;
                }
            } catch (IOException e) {
                // Whether the charge was raised is unknown; the key makes it safe to ask again.
                last = e.toString();
            }
        }
        refused(last);
    }

    private static boolean worthAnotherTry(HttpResponse<String> answer) {
        return answer.statusCode() == UNAVAILABLE
                || (answer.statusCode() == CONFLICT && answer.body().contains("request-in-flight"));
    }

    private void refused(String why) {
        refusals.merge(why, 1, Integer::sum);
    }

    private int done() {
        return accepted.get()
                + refusals.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void progress(long start) {
        int done = done();
        double perSecond = perSecond(done, start);
        out.printf(
                Locale.ROOT,
                "burst: %d/%d, %.0f a second, %s s left, %d sent again%n",
                done,
                charges,
                perSecond,
                done == 0 ? "?" : Long.toString(Math.round((charges - done) / perSecond)),
                repeats.get());
    }

    private static double perSecond(int done, long start) {
        return done * 1e9 / Math.max(1, System.nanoTime() - start);
    }

    private int report(long start) {
        boolean passed = accepted.get() == charges;
        refusals.forEach((why, count) -> out.printf("burst: %d refused: %s%n", count, why));
        out.printf(
                Locale.ROOT,
                "burst: %s %d of %d charges accepted, %.0f a second, %d requests sent again%n",
                passed ? "PASS" : "FAIL",
                accepted.get(),
                charges,
                perSecond(accepted.get(), start),
                repeats.get());
        return passed ? 0 : 1;
    }
}
