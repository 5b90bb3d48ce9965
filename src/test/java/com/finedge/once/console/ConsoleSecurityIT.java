package com.finedge.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.Operators;
import com.finedge.once.support.RunningOnce;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Who comes in at the management port, over HTTP. */
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleSecurityIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    /** What is open, and why: Kubernetes has no login, and one can't log in without these. */
    private static final Set<String> OPEN = Set.of("/login", Assets.STYLESHEET, Assets.ICON);

    private static final String HOSTILE =
            "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&__${1+1}__[[${1+1}]]";

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final RunningOnce once = RunningOnce.start(settings(), ManagementPaths.class);
    private final ConsoleSession nobody = new ConsoleSession(once.managementUrl());
    private final ConsoleSession viewer = new ConsoleSession(once.managementUrl()).as(Operators.VIEWER);
    private final ConsoleSession operator = new ConsoleSession(once.managementUrl()).as(Operators.OPERATOR);

    private Map<String, String> settings() {
        OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.roles", "charge-recovery,billing,order-saga,console");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        return settings;
    }

    @AfterAll
    void stop() {
        List.of(nobody, viewer, operator).forEach(ConsoleSession::close);
        once.close();
    }

    private Set<String> paths() {
        Set<String> paths = once.bean(ManagementPaths.class).all();
        assertThat(paths)
                .contains("/console", "/console/outbox", "/console/outbox/x", "/console/sagas/x/x", "/login")
                .contains("/actuator", "/actuator/health", "/actuator/sagas/x/x", "/actuator/metrics/x", "/error")
                .contains(
                        "/actuator/hawtio",
                        "/actuator/hawtio/x",
                        "/actuator/hawtio/proxy/x",
                        "/actuator/hawtio/auth/login")
                .contains("/actuator/jolokia/x", "/actuator/hawtio/jolokia/x");
        return paths;
    }

    @Test
    void withoutALoginEveryPathAnswers401Or302() {
        for (String path : paths()) {
            HttpResponse<String> program = nobody.get(path, "Accept", "application/json");
            HttpResponse<String> browser = nobody.get(path);
            if (OPEN.contains(path)) {
                assertThat(browser.statusCode()).as(path).isEqualTo(200);
                continue;
            }
            assertThat(program.statusCode()).as(path).isIn(401, 302);
            assertThat(browser.statusCode()).as(path).isEqualTo(302);
            assertThat(browser.headers().firstValue("Location").orElse(""))
                    .as(path)
                    .endsWith("/login");
            assertThat(browser.body()).as(path).isEmpty();
            assertThat(nobody.post(path, Map.of()).statusCode()).as(path).isIn(401, 302);
        }
        assertThat(nobody.get("/no-such-path", "Accept", "*/*").statusCode()).isEqualTo(302);
        assertThat(nobody.get("/actuator/health/x").statusCode()).isEqualTo(302);
    }

    @Test
    void kubernetesAsksWithoutALoginAndLearnsNoDetails() {
        for (String probe : List.of("liveness", "readiness")) {
            HttpResponse<String> answer = nobody.get("/actuator/health/" + probe);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"status\":\"UP\"}");
        }
        assertThat(viewer.get("/actuator/health/readiness").body()).contains("circuits", "claim-store");
    }

    @Test
    void aViewerLooksAtEverythingAndChangesNothing() {
        String token = ConsoleSession.token(viewer.get("/console").body());
        for (String path : paths()) {
            if (Set.of("/login", "/error", "/actuator/hawtio/auth/logout").contains(path)) {
                continue;
            }
            HttpResponse<String> seen = viewer.get(path);
            assertThat(seen.statusCode())
                    .as(path + ": " + seen.body())
                    .isIn(path.equals("/actuator/health") ? List.of(200, 503) : List.of(200, 302, 303, 400, 404, 405));
            assertThat(seen.headers().firstValue("Location").orElse(""))
                    .as(path)
                    .isNotEqualTo(once.managementUrl() + "/login");
            if (path.contains("/jolokia")) {
                continue; // asked by POST; HawtioSecurityIT says what that may
            }
            assertThat(viewer.post(path, Map.of("_csrf", token, "reason", "none"))
                            .statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(viewer.get("/console/outbox").body()).doesNotContain("Release");
        try (ConsoleSession program = new ConsoleSession(once.managementUrl())) {
            assertThat(program.post("/actuator/outbox/x", Map.of(), "Authorization", Operators.VIEWER.basic())
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void aRequestOfAnotherSiteIsRefused() {
        String id = parked("e-1", "refused");
        String path = "/console/outbox/" + id;
        Map<String, String> form = Map.of("reason", "because");

        assertThat(operator.post(path, form).statusCode()).as("no token").isEqualTo(403);
        assertThat(operator.post(path, form, "Origin", "https://elsewhere.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(operator.post(path, Map.of("_csrf", "x", "reason", "because"))
                        .statusCode())
                .as("another token")
                .isEqualTo(403);
        assertThat(nobody.post(
                                "/actuator/outbox/" + id,
                                form,
                                "Authorization",
                                Operators.OPERATOR.basic(),
                                "Origin",
                                "https://elsewhere.example")
                        .statusCode())
                .as("a browser that has learnt a password")
                .isIn(302, 403);
        assertThat(state(id)).isEqualTo("PARKED");

        assertThat(operator.submit(path, path, form).statusCode()).isEqualTo(303);
        assertThat(state(id)).isNotEqualTo("PARKED");
    }

    @Test
    void anActionNeedsAReason() {
        String id = parked("e-2", "refused");
        String path = "/console/outbox/" + id;

        HttpResponse<String> answer = operator.submit(path, path, Map.of("reason", "  "));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Release a parked message?", "role=\"alert\"");
        assertThat(state(id)).isEqualTo("PARKED");
    }

    @Test
    void whoStopsARedriveIsInTheAuditLog() {
        HttpResponse<String> begun = operator.submit("/console/redrive", "/console/redrive", Map.of("why", "looking"));
        String redrive =
                URI.create(begun.headers().firstValue("Location").orElseThrow()).getPath();

        assertThat(operator.submit(redrive, redrive + "/cancel", Map.of()).statusCode())
                .isEqualTo(303);

        assertThat(operator.get("/console/audit").body())
                .contains("cancel-redrive", ">operator<", redrive.replaceAll(".*/", ""));
    }

    @Test
    void hostileContentIsTextOnThePage() {
        String id = parked("e-" + UUID.randomUUID(), HOSTILE);

        for (String path : List.of("/console/outbox", "/console/outbox/" + id)) {
            assertThat(operator.get(path).body())
                    .as(path)
                    .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "__${1+1}__[[${1+1}]]")
                    .doesNotContain("<script>alert", "<img");
        }
        assertThat(operator.get("/console/sagas?key=%3Cscript%3Ealert(1)%3C/script%3E")
                        .body())
                .contains("&lt;script&gt;")
                .doesNotContain("<script>alert");
        assertThat(operator.get("/console?said=%3Cscript%3E").body()).doesNotContain("<script>\"", "role=\"status\"");
    }

    @Test
    void pagesKeepToThemselves() {
        HttpResponse<String> page = operator.get("/console");

        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
        assertThat(page.body()).doesNotContainPattern("<script(?![^>]*src=)").doesNotContain(" style=", " onclick=");
        assertThat(nobody.get("/login").headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .contains("once-console=", "HttpOnly", "SameSite=Strict");
    }

    @Test
    void aWrongPasswordLetsNobodyIn() {
        HttpResponse<String> answer =
                nobody.submit("/login", "/login", Map.of("username", "operator", "password", "password of viewer"));

        assertThat(answer.headers().firstValue("Location").orElse("")).endsWith("/login?error");
        assertThat(nobody.get("/console").statusCode()).isEqualTo(302);
    }

    @Test
    void whoLogsOutIsOut() {
        try (ConsoleSession somebody = new ConsoleSession(once.managementUrl()).as(Operators.VIEWER)) {
            assertThat(somebody.get("/console").statusCode()).isEqualTo(200);
            assertThat(somebody.submit("/console", "/logout", Map.of()).statusCode())
                    .isEqualTo(302);

            assertThat(somebody.get("/console").statusCode()).isEqualTo(302);
        }
    }

    /** None of this is on the public port, where there is no login, no session and no page. */
    @Test
    void thePublicPortKnowsNothingOfIt() {
        try (ConsoleSession open = new ConsoleSession(once.url())) {
            for (String path : paths()) {
                if (path.equals("/error")) {
                    continue;
                }
                HttpResponse<String> answer = open.get(path, "Accept", "application/json");
                assertThat(answer.statusCode()).as(path).isEqualTo(404);
                assertThat(answer.headers().map()).as(path).doesNotContainKeys("set-cookie", "x-frame-options");
            }
            assertThat(open.get("/webjars/htmx.org/dist/htmx.min.js").statusCode())
                    .isEqualTo(404);
            assertThat(open.get("/charges/CHG-NO-SUCH").body()).contains("urn:once:problem:charge-not-found");
            assertThat(open.post("/charges", Map.of()).body())
                    .as("no token is asked for")
                    .contains("urn:once:problem:idempotency-key");
        }
    }

    private String parked(String id, String error) {
        JdbcClient.create(database.ownersDataSource())
                .sql("""
                        INSERT INTO outbox (event_id, queue, body, attributes, state, failures, last_error)
                        VALUES (?, 'no-such-queue', 'body', '{}', 'PARKED', 1, ?)""")
                .params(id, error)
                .update();
        return id;
    }

    private String state(String id) {
        return JdbcClient.create(database.ownersDataSource())
                .sql("SELECT state FROM outbox WHERE event_id = ?")
                .param(id)
                .query(String.class)
                .single();
    }
}
