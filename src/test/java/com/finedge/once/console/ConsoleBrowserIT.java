package com.finedge.once.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaReply.Outcome;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.saga.Phase;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.saga.Sagas;
import com.finedge.once.support.Events;
import com.finedge.once.support.Operators;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What an operator does with the console, in a real browser: the machine's own {@link Chromium}, without which this is
 * skipped.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleBrowserIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final double LONGEST_MILLIS = LONGEST.toMillis();

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final LocalResources resources = SERVICES.fresh();
    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
    private final List<String> complaints = new ArrayList<>();

    private @Nullable RunningOnce running;
    private @Nullable Chromium chromium;

    @BeforeAll
    void start() {
        chromium = Chromium.startOrSkip();
        PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_MILLIS);
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.roles", "charge-recovery,billing,order-saga,console");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.charges.max-attempts", "1");
        settings.put("once.dead-letters.hold", "30s");
        running = RunningOnce.start(settings);
    }

    @AfterAll
    void stop() {
        if (chromium != null) {
            chromium.close();
        }
        if (running != null) {
            running.close();
        }
    }

    private RunningOnce once() {
        return Objects.requireNonNull(running);
    }

    private BrowserContext context(int width, int height, ColorScheme colours) {
        return Objects.requireNonNull(chromium)
                .browser()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(width, height)
                        .setColorScheme(colours));
    }

    private Page page(BrowserContext context) {
        Page page = context.newPage();
        page.setDefaultTimeout(LONGEST_MILLIS);
        // What the content security policy blocks is told here, and so is what a script of ours throws.
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        return page;
    }

    private void logIn(Page page) {
        page.navigate(once().managementUrl() + "/console");
        page.getByLabel("Name").fill(Operators.OPERATOR.user());
        page.getByLabel("Password").fill(Operators.OPERATOR.password());
        button(page, "Log in").click();
        assertThat(heading(page, "Overview")).isVisible();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    private static Locator heading(Page page, String name) {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
    }

    private static Locator row(Page page, String text) {
        return page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText(text));
    }

    private static void picture(Page page, String name) {
        Chromium.picture(page, "console-" + name, true);
    }

    private ClaimState claim(String chargeId) {
        return once().bean(Claims.class)
                .find(new ClaimKey("charge-recovery", chargeId))
                .map(record -> record.state())
                .orElse(ClaimState.IN_PROGRESS);
    }

    private void send(String chargeId) {
        Queue.named(SERVICES.sqs(), resources.queue()).send(Events.chargeDue(chargeId));
    }

    /** A charge whose attempts are spent, or that the bank refuses, with its dead letter. */
    private String failed(String chargeId, Fault fault) {
        SERVICES.bank().fault(chargeId, fault);
        send(chargeId);
        await(chargeId).atMost(LONGEST).until(() -> claim(chargeId) == ClaimState.FAILED);
        return chargeId;
    }

    private static String id(String begin) {
        return begin + UUID.randomUUID().toString().substring(0, 4);
    }

    @Test
    void anOperatorAtThreeInTheMorning() throws IOException, InterruptedException {
        for (int i = 0; i < 8; i++) {
            send(id("CHG-10" + i + "-"));
        }
        String spent = failed(id("CHG-2031-"), Fault.unavailable(503));
        String refused = failed(id("CHG-2044-"), Fault.reject("INSUFFICIENT_FUNDS"));
        Queue.named(SERVICES.sqs(), resources.queue())
                .send("{\"schemaVersion\":1,\"chargeId\":\"<script>alert(1)</script>\"}");
        Queue deadLetters = Queue.named(SERVICES.sqs(), resources.deadLetterQueue());
        await().atMost(LONGEST).until(() -> deadLetters.size() == 3);
        String order = stuckOrder();
        String message = parkedMessage();
        try (BrowserContext context = context(1280, 800, ColorScheme.LIGHT)) {
            Page page = page(context);
            page.navigate(once().managementUrl() + "/console");
            picture(page, "login");
            logIn(page);
            assertThat(page.getByText("dead letters wait for somebody").first()).isVisible();
            picture(page, "overview");

            // See a dead letter, dry run, redrive, see it gone.
            SERVICES.bank().clearFaults(spent);
            link(page, "Dead letters").first().click();
            assertThat(row(page, spent)).containsText("retries exhausted");
            assertThat(row(page, refused)).containsText("decided against");
            assertThat(page.locator("main")).not().containsText("ACC-");
            picture(page, "dead-letters");
            link(page, "Redrive these").click();
            page.getByLabel("Why?").fill("the bank is back");
            button(page, "Dry run").click();
            assertThat(heading(page, "Do it?")).isVisible();
            assertThat(row(page, "reopen")).containsText("1");
            assertThat(row(page, "stay rejected")).containsText("1");
            assertThat(claim(spent)).isEqualTo(ClaimState.FAILED);
            picture(page, "redrive");
            button(page, "Redrive").click();
            link(page, "See what is left").click();
            await().atMost(LONGEST).until(() -> claim(spent) == ClaimState.DONE);
            assertThat(SERVICES.bank().debits(spent)).hasSize(1);
            // What a redrive has left stays hidden for a while; what it took is gone for good.
            assertThat(row(page, spent)).hasCount(0);

            // Reopen a claim.
            page.getByLabel("Charge id").last().fill(refused);
            button(page, "Find").click();
            assertThat(page.locator("main")).containsText("insufficient funds");
            link(page, "Reopen").click();
            page.getByLabel("Why?").fill("the account was filled");
            button(page, "Reopen it").click();
            assertThat(page.getByRole(AriaRole.STATUS)).containsText("Reopened");
            assertThat(row(page, "reopen-claim")).containsText("the account was filled");
            picture(page, "claim");
            assertThat(claim(refused)).isEqualTo(ClaimState.IN_PROGRESS);

            // Find a stuck order, and let it go on.
            link(page, "Sagas").first().click();
            assertThat(row(page, order)).containsText("PARKED");
            picture(page, "sagas");
            page.getByLabel("Order id or saga id").fill(order);
            button(page, "Find").click();
            assertThat(heading(page, order)).isVisible();
            picture(page, "saga");
            link(page, "unpark").click();
            page.getByLabel("Why?").fill("payment answers again");
            button(page, "unpark").click();
            assertThat(row(page, "unpark by operator: payment answers again")).isVisible();

            // Release a parked message.
            link(page, "Outbox").first().click();
            picture(page, "outbox");
            link(page, "Release… " + message).click();
            page.getByLabel("Why?").fill("the queue is there now");
            button(page, "Release it").click();
            assertThat(page.getByRole(AriaRole.STATUS)).containsText("Released");
            assertThat(row(page, message)).hasCount(0);

            link(page, "Audit log").first().click();
            for (String done : List.of("redrive", "reopen-claim", "unpark", "release-message")) {
                assertThat(row(page, done).first()).containsText("operator");
            }
            picture(page, "audit");
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void aPhoneShowsEverythingWithoutScrollingAside() throws IOException, InterruptedException {
        failed(id("CHG-2051-"), Fault.reject("ACCOUNT_CLOSED"));
        String order = stuckOrder();
        parkedMessage();
        try (BrowserContext context = context(390, 844, ColorScheme.DARK)) {
            Page page = page(context);
            logIn(page);
            Map<String, String> pages = Map.of(
                    "overview", "/console",
                    "dead-letters", "/console/dead-letters",
                    "outbox", "/console/outbox",
                    "sagas", "/console/sagas",
                    "saga", "/console/sagas/" + SagaIds.saga("order-fulfilment", order),
                    "audit", "/console/audit");
            pages.forEach((name, path) -> {
                page.navigate(once().managementUrl() + path);
                if (List.of("overview", "dead-letters").contains(name)) {
                    picture(page, "phone-" + name);
                }
                assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                        .as(name)
                        .isLessThanOrEqualTo(390);
            });
        }
        assertThat(complaints).isEmpty();
    }

    /** From the keyboard alone: the first thing that is reached leads past the navigation. */
    @Test
    void theKeyboardReachesWhatThereIs() {
        try (BrowserContext context = context(1280, 800, ColorScheme.LIGHT)) {
            Page page = page(context);
            page.navigate(once().managementUrl() + "/console");
            assertThat(page.getByLabel("Name")).isFocused();
            page.keyboard().type(Operators.VIEWER.user());
            page.keyboard().press("Tab");
            page.keyboard().type(Operators.VIEWER.password());
            page.keyboard().press("Enter");
            assertThat(heading(page, "Overview")).isVisible();

            page.keyboard().press("Tab");
            assertThat(link(page, "To the content")).isFocused();
            page.keyboard().press("Tab");
            page.keyboard().press("Tab");
            page.keyboard().press("Tab");
            assertThat(link(page, "Dead letters").first()).isFocused();
            page.keyboard().press("Enter");
            assertThat(heading(page, "Dead letters")).isVisible();
            assertThat(link(page, "Redrive these")).hasCount(0);
        }
    }

    private String stuckOrder() throws IOException, InterruptedException {
        String order = id("O-7");
        String body =
                "{\"orderId\":\"%s\",\"customerId\":\"C-1\",\"amount\":\"19.90\",\"currency\":\"EUR\",\"items\":[{\"sku\":\"S-1\",\"quantity\":2}]}"
                        .formatted(order);
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(http.send(
                                    HttpRequest.newBuilder(URI.create(once().url() + "/orders"))
                                            .header("Content-Type", "application/json")
                                            .POST(BodyPublishers.ofString(body))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(201);
        }
        UUID saga = SagaIds.saga("order-fulfilment", order);
        Sagas sagas = once().bean(Sagas.class);
        await().atMost(LONGEST).until(() -> sagas.find(saga).isPresent());
        answer(order, "payment", Outcome.SUCCEEDED);
        answer(order, "stock", Outcome.REFUSED);
        await().atMost(LONGEST)
                .until(() -> sagas.find(saga).orElseThrow().saga().phase() == Phase.COMPENSATING);
        sagas.operate(saga, new Operated(new Verb.RetryNow(), "alice", "payment was restarted"));
        sagas.operate(saga, new Operated(new Verb.Park(), "alice", "payment doesn't answer"));
        return order;
    }

    /** For the participant, which isn't here. */
    private void answer(String order, String step, Outcome outcome) {
        Queue commands = Queue.named(SERVICES.sqs(), queues.commands(step));
        SagaCommand command = await(order + ": " + step)
                .atMost(LONGEST)
                .until(
                        () -> commands.drain().stream()
                                .map(message -> new SagaCommandJson().read(message.body()))
                                .filter(one -> one.businessKey().equals(order))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        Map<String, Object> data =
                outcome == Outcome.SUCCEEDED ? Map.of("paymentId", "P-1") : Map.of("code", "OUT_OF_STOCK");
        Queue.named(SERVICES.sqs(), queues.replies())
                .send(new SagaReplyJson()
                        .write(command.answered(
                                UUID.randomUUID().toString(),
                                "Answered.v1",
                                "participant",
                                Instant.now(),
                                outcome,
                                data)));
    }

    private String parkedMessage() {
        String id = "EVT-" + UUID.randomUUID();
        JdbcClient.create(database.ownersDataSource()).sql("""
                        INSERT INTO outbox (event_id, queue, body, attributes, order_key, state, failures, last_error)
                        VALUES (?, 'order-events', 'body', '{}', 'O-7', 'PARKED', 10, 'QueueDoesNotExist')""").param(id).update();
        return id;
    }
}
