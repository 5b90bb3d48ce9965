package com.finedge.once.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
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
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.yaml.snakeyaml.Yaml;

/** Hawtio in a real browser, the machine's own {@link Chromium}, without which this is skipped. */
class HawtioBrowserIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final double LONGEST_MILLIS = LONGEST.toMillis();
    private static final int CHARGES = 8;

    private final List<String> complaints = new ArrayList<>();

    @Test
    void aViewerSeesTheDiagramOfARouteWithItsStepsAndCounters() throws IOException {
        LocalResources resources = SERVICES.fresh();
        PostgresServer.Database database = SERVICES.postgres().fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.roles", "charge-recovery,console");
        PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_MILLIS);
        try (Chromium chromium = Chromium.startOrSkip();
                RunningOnce once = RunningOnce.start(settings);
                BrowserContext context =
                        chromium.browser().newContext(new Browser.NewContextOptions().setViewportSize(1600, 1000))) {
            recoverCharges(once, Queue.named(SERVICES.sqs(), resources.queue()));
            Page page = context.newPage();
            page.setDefaultTimeout(LONGEST_MILLIS);
            page.onConsoleMessage(message -> {
                // Files of the page that this process needn't have.
                if (message.type().equals("error") && !message.location().contains("/preset-connections")) {
                    complaints.add(message.text());
                }
            });
            page.onPageError(complaints::add);

            page.navigate(once.managementUrl() + "/actuator/hawtio/");
            assertThat(page).hasURL(Pattern.compile(".*/login$"));
            page.getByLabel("Name").fill(Operators.VIEWER.user());
            page.getByLabel("Password").fill(Operators.VIEWER.password());
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Log in").setExact(true))
                    .click();
            page.navigate(once.managementUrl() + "/console");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Hawtio"))
                    .click();
            page.getByText("recover-charge", new Page.GetByTextOptions().setExact(true))
                    .first()
                    .click();

            for (String id : stepIds()) {
                assertThat(step(page, id)).hasCount(1);
            }
            assertThat(step(page, "claim-charge")).containsText(String.valueOf(CHARGES + 1));
            assertThat(step(page, "notify-customer")).containsText(String.valueOf(CHARGES));
            assertThat(step(page, "fail-charge")).containsText("1");
            assertThat(step(page, "postpone-charge")).containsText("0");
            Chromium.picture(page, "hawtio-recover-charge", false);
        }
        assertThat(complaints).isEmpty();
    }

    private static Locator step(Page page, String id) {
        return page.locator(".react-flow__node").filter(new Locator.FilterOptions().setHasText("(ID: " + id + ")"));
    }

    private static void recoverCharges(RunningOnce once, Queue queue) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < CHARGES; i++) {
            all.add("CHG-HAWTIO-" + i);
        }
        all.add("CHG-HAWTIO-REFUSED");
        SERVICES.bank().fault("CHG-HAWTIO-REFUSED", Fault.reject("INSUFFICIENT_FUNDS"));
        all.forEach(id -> queue.send(Events.chargeDue(id)));
        Claims claims = once.bean(Claims.class);
        await().atMost(LONGEST)
                .until(() -> all.stream()
                        .allMatch(id -> claims.find(new ClaimKey("charge-recovery", id))
                                .filter(claim -> claim.state() != ClaimState.IN_PROGRESS)
                                .isPresent()));
    }

    /** Every id below the route's, as its YAML has them. */
    private static List<String> stepIds() throws IOException {
        try (InputStream yaml = new ClassPathResource("routes/recover-charge.camel.yaml").getInputStream()) {
            List<String> ids = ids(new Yaml().load(yaml))
                    .filter(id -> !id.equals("recover-charge"))
                    .toList();
            assertThat(ids).hasSizeGreaterThan(40).contains("receive-charge", "not-a-charge", "no-such-claim-outcome");
            return ids;
        }
    }

    private static Stream<String> ids(Object node) {
        return switch (node) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .flatMap(entry -> entry.getKey().equals("id")
                                ? Stream.of(String.valueOf(entry.getValue()))
                                : ids(entry.getValue()));
            case List<?> list -> list.stream().flatMap(HawtioBrowserIT::ids);
            default -> Stream.empty();
        };
    }
}
