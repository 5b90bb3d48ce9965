package com.finedge.once.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.Events;
import com.finedge.once.support.Operators;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jolokia.server.core.service.api.Restrictor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

/** Who reaches Hawtio and what is behind it, and how little that lets anybody do, over HTTP. */
@TestInstance(Lifecycle.PER_CLASS)
class HawtioSecurityIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final MBeanServer MBEANS = ManagementFactory.getPlatformMBeanServer();
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String JOLOKIA = "/actuator/jolokia";
    private static final String HAWTIO = "/actuator/hawtio";
    private static final String SECRET = "a secret of HawtioSecurityIT";

    private static final String CONTEXT = "org.apache.camel:context=once,type=context,name=\"once\"";
    private static final String ROUTE = "org.apache.camel:context=once,type=routes,name=\"recover-charge\"";
    private static final String CLAIMS = "com.finedge.once:type=Claims";

    private final LocalResources resources = SERVICES.fresh();
    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final RunningOnce once = RunningOnce.start(settings(), ManagementPaths.class);
    private final ConsoleSession nobody = new ConsoleSession(once.managementUrl());
    private final ConsoleSession viewer = new ConsoleSession(once.managementUrl()).as(Operators.VIEWER);
    private final ConsoleSession program = new ConsoleSession(once.managementUrl());

    private Map<String, String> settings() {
        System.setProperty("once.test.secret", SECRET);
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.roles", "charge-recovery,console");
        return settings;
    }

    @AfterAll
    void stop() {
        System.clearProperty("once.test.secret");
        List.of(nobody, viewer, program).forEach(ConsoleSession::close);
        once.close();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.body())
                .as("%s %s", answer.statusCode(), answer.headers().map())
                .isNotEmpty();
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.statusCode() + ": " + answer.body(), e);
        }
    }

    private static String text(Map<String, ?> request) {
        try {
            return JSON.writeValueAsString(request);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> asked(Operators who, String json) {
        return program.postJson(JOLOKIA, json, "Authorization", who.basic());
    }

    private JsonNode answer(Operators who, Map<String, ?> request) {
        return json(asked(who, text(request)));
    }

    private static void assertRefused(JsonNode answer) {
        assertThat(answer.path("status").asInt()).as("%s", answer).isEqualTo(403);
        assertThat(answer.has("value")).as("%s", answer).isFalse();
    }

    @Test
    void withoutALoginNothingAnswers() {
        Set<String> paths = once.bean(ManagementPaths.class).all().stream()
                .filter(path -> path.startsWith(HAWTIO) || path.startsWith(JOLOKIA))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(paths).hasSizeGreaterThan(8);
        for (String more : List.of(
                "/",
                "/index.html",
                "/hawtconfig.json",
                "/auth/login",
                "/auth/logout",
                "/auth/config/login",
                "/user",
                "/user/",
                "/plugin",
                "/refresh",
                "/keycloak/enabled",
                "/proxy/enabled",
                "/proxy/http/127.0.0.1/80/",
                "/jolokia",
                "/jolokia/version",
                "/camel",
                "/static/js/x.js")) {
            paths.add(HAWTIO + more);
        }
        for (String more :
                List.of("/", "/version", "/list", "/read/java.lang:type=Memory", "/exec/java.lang:type=Memory/gc")) {
            paths.add(JOLOKIA + more);
        }
        for (String path : paths) {
            for (HttpResponse<String> answer : List.of(
                    nobody.get(path),
                    nobody.get(path, "Accept", "application/json"),
                    nobody.get(path, "Authorization", "Basic b3BlcmF0b3I6d3Jvbmc="),
                    nobody.postJson(path, text(Map.of("type", "version"))),
                    nobody.postJson(path, text(Map.of("type", "version")), "Accept", "application/json"))) {
                assertThat(answer.statusCode()).as(path).isIn(302, 401);
                assertThat(answer.headers().firstValue("Location").orElse("/login"))
                        .as(path)
                        .endsWith("/login");
                assertThat(answer.body()).as(path).doesNotContain("\"value\"", "<script");
            }
        }
    }

    @Test
    void whoHasLoggedInGetsThePageAndAViewerReads() {
        assertThat(viewer.get("/console").body()).contains("href=\"/actuator/hawtio/\"");
        assertThat(viewer.get(HAWTIO + "/").body()).contains("<div id=\"root\">");
        JsonNode claims = answer(Operators.VIEWER, Map.of("type", "read", "mbean", CLAIMS));

        assertThat(claims.at("/value/LeaseSeconds").asLong(-1)).as("%s", claims).isNotNegative();
        assertThat(claims.at("/value/Circuits").properties())
                .extracting(Map.Entry::getKey)
                .contains("bank", "claim-store");
        assertThat(answer(Operators.VIEWER, Map.of("type", "read", "mbean", ROUTE, "attribute", "State"))
                        .path("value")
                        .asText())
                .isEqualTo("Started");
    }

    @Test
    void aClaimIsFoundWithoutAnAccount() {
        Queue.named(SERVICES.sqs(), resources.queue()).send(Events.chargeDue("CHG-JMX-1"));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> once.bean(Claims.class)
                        .find(new ClaimKey("charge-recovery", "CHG-JMX-1"))
                        .filter(claim -> claim.state() == ClaimState.DONE)
                        .isPresent());

        JsonNode found = answer(
                Operators.VIEWER,
                Map.of(
                        "type",
                        "exec",
                        "mbean",
                        CLAIMS,
                        "operation",
                        "find(java.lang.String,java.lang.String)",
                        "arguments",
                        List.of("charge-recovery", "CHG-JMX-1")));

        assertThat(found.at("/value/state").asText()).isEqualTo("DONE");
        assertThat(found.at("/value/attempts").asText()).isEqualTo("1");
        assertThat(answer(Operators.VIEWER, Map.of("type", "read", "mbean", CLAIMS))
                        .at("/value/Answers/ACQUIRED")
                        .asInt())
                .isPositive();
        for (String all : List.of("org.apache.camel:*", "com.finedge.once:*", "hawtio:*")) {
            assertThat(found
                            + asked(Operators.OPERATOR, text(Map.of("type", "read", "mbean", all)))
                                    .body())
                    .doesNotContain("ACC-", "accountId", SECRET);
        }
    }

    /** Whatever else becomes an MBean: this is all that can be executed. */
    @Test
    void theseOperationsAreAllowedAndNoOthers() throws JMException {
        Restrictor policy = once.bean(Restrictor.class);
        Set<String> allowed = new TreeSet<>();
        for (ObjectName mbean : MBEANS.queryNames(null, null)) {
            for (MBeanOperationInfo operation : MBEANS.getMBeanInfo(mbean).getOperations()) {
                String parameters = Arrays.stream(operation.getSignature())
                        .map(MBeanParameterInfo::getType)
                        .collect(Collectors.joining(","));
                Stream.of(operation.getName(), operation.getName() + "(" + parameters + ")")
                        .filter(asked -> policy.isOperationAllowed(mbean, asked))
                        .forEach(asked -> allowed.add(mbean.getKeyProperty("type") + " " + asked));
                assertThat(policy.isAttributeWriteAllowed(mbean, operation.getName()))
                        .isFalse();
            }
        }
        assertThat(allowed)
                .containsExactlyInAnyOrder(
                        "Claims find",
                        "Claims find(java.lang.String,java.lang.String)",
                        "context dumpRoutesAsXml()",
                        "context dumpRoutesStatsAsXml",
                        "context dumpRoutesStatsAsXml(boolean,boolean)",
                        "routes dumpRouteAsXml()",
                        "routes dumpRouteStatsAsXml(boolean,boolean)",
                        "routes isUpdateRouteEnabled()",
                        "security canInvoke(java.lang.String)",
                        "security canInvoke(java.lang.String,java.lang.String)",
                        "security canInvoke(java.lang.String,java.lang.String,[Ljava.lang.String;)",
                        "security canInvoke(java.util.Map)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            org.apache.camel:context=once,type=context,name="once"                | sendBody                     | seda:x;x
            org.apache.camel:context=once,type=context,name="once"                | requestBody                  | seda:x;x
            org.apache.camel:context=once,type=context,name="once"                | createEndpoint               | seda:x
            org.apache.camel:context=once,type=context,name="once"                | setGlobalOption              | a;b
            org.apache.camel:context=once,type=context,name="once"                | stop                         |
            org.apache.camel:context=once,type=context,name="once"                | suspend                      |
            org.apache.camel:context=once,type=context,name="once"                | restart                      |
            org.apache.camel:context=once,type=routes,name="recover-charge"       | stop                         |
            org.apache.camel:context=once,type=routes,name="recover-charge"       | suspend                      |
            org.apache.camel:context=once,type=routes,name="recover-charge"       | remove                       |
            org.apache.camel:context=once,type=routes,name="recover-charge"       | updateRouteFromXml           | x
            org.apache.camel:context=once,type=routes,name="recover-charge"       | reset                        |
            org.apache.camel:context=once,type=processors,name="debit-account"    | stop                         |
            com.sun.management:type=HotSpotDiagnostic                             | dumpHeap                     | /tmp/x;true
            com.sun.management:type=HotSpotDiagnostic                             | setVMOption                  | a;b
            com.sun.management:type=DiagnosticCommand                             | vmSystemProperties           |
            com.sun.management:type=DiagnosticCommand                             | jvmtiAgentLoad               | x
            jdk.management.jfr:type=FlightRecorder                                | newRecording                 |
            java.util.logging:type=Logging                                        | setLoggerLevel               | a;OFF
            java.lang:type=Memory                                                 | gc                           |
            java.lang:type=Threading                                              | dumpAllThreads               | true;true
            """)
    void whatIsDangerousIsRefusedHoweverItIsAskedFor(String mbean, String operation, String values) throws JMException {
        assertThat(MBEANS.getMBeanInfo(new ObjectName(mbean)).getOperations())
                .as("it would be there")
                .extracting(MBeanOperationInfo::getName)
                .contains(operation);
        List<String> arguments = values == null ? List.of() : List.of(values.split(";"));
        Map<String, ?> harmless = Map.of("type", "version");
        String path = HAWTIO + "/jolokia";
        for (Operators who : Operators.values()) {
            for (String asked : List.of(operation, operation + "()", operation + "(java.lang.String)")) {
                Map<String, ?> exec =
                        Map.of("type", "exec", "mbean", mbean, "operation", asked, "arguments", arguments);
                assertRefused(answer(who, exec));
                assertRefused(json(asked(who, "[" + text(harmless) + "," + text(exec) + "]"))
                        .path(1));
                assertRefused(json(program.postJson(path, text(exec), "Authorization", who.basic())));
            }
        }
        String get = "/exec/" + mbean.replace("\"", "%22").replace(" ", "%20") + "/" + operation + "/"
                + String.join("/", arguments).replace("/tmp/", "!/tmp!/");
        for (String base : List.of(JOLOKIA, path)) {
            assertThat(viewer.get(base + get).body()).contains("\"status\":403").doesNotContain("\"value\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyWrites(Operators who) {
        assertRefused(answer(who, Map.of("type", "write", "mbean", CONTEXT, "attribute", "Tracing", "value", true)));
        assertRefused(answer(
                who, Map.of("type", "write", "mbean", "java.lang:type=Memory", "attribute", "Verbose", "value", true)));
        JsonNode heard = answer(
                who, Map.of("type", "notification", "command", "add", "client", "x", "mode", "pull", "mbean", CONTEXT));
        assertThat(heard.path("status").asInt()).as("%s", heard).isNotEqualTo(200);
        assertThat(ManagementFactory.getMemoryMXBean().isVerbose()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SystemProperties", "InputArguments", "ClassPath", "Name"})
    void whatTheProcessWasStartedWithIsNotRead(String attribute) {
        assertThat(ManagementFactory.getRuntimeMXBean().getSystemProperties()).containsValue(SECRET);

        assertRefused(answer(
                Operators.OPERATOR, Map.of("type", "read", "mbean", "java.lang:type=Runtime", "attribute", attribute)));
        assertRefused(answer(
                Operators.OPERATOR,
                Map.of(
                        "type",
                        "read",
                        "mbean",
                        "java.lang:type=Runtime",
                        "attribute",
                        attribute,
                        "path",
                        "once.test.secret")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang:type=Runtime", "java.lang:*", "*:type=Runtime,*", "*:*"})
    void norWithEverythingElseTogether(String mbean) {
        for (String attributes : List.of("", ",\"attribute\":[\"SystemProperties\",\"InputArguments\"]")) {
            String answer = asked(
                            Operators.OPERATOR,
                            "{\"type\":\"read\",\"mbean\":\"" + mbean + "\",\"config\":{\"ignoreErrors\":true}"
                                    + attributes + "}")
                    .body();
            assertThat(answer).doesNotContain(SECRET, "java.class.path");
        }
    }

    /** Jolokia as a proxy would ask any JVM that this process reaches, and Hawtio's own any web server. */
    @Test
    void nobodyIsAskedElsewhere() throws IOException {
        try (ServerSocket elsewhere = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            for (Operators who : Operators.values()) {
                answer(
                        who,
                        Map.of(
                                "type", "read",
                                "mbean", "java.lang:type=Memory",
                                "attribute", "HeapMemoryUsage",
                                "target",
                                        Map.of(
                                                "url",
                                                "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + elsewhere.getLocalPort()
                                                        + "/jmxrmi")));
            }
            // Whoever had been asked would be waiting here.
            elsewhere.setSoTimeout(1);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(viewer.get(
                                HAWTIO + "/proxy/http/127.0.0.1/" + once.url().getPort() + "/charges/CHG-1",
                                "Authorization",
                                Operators.OPERATOR.basic())
                        .statusCode())
                .isEqualTo(404);
        assertThat(List.of("jsr160.Jsr160RequestHandler", "discovery.JolokiaDiscovery"))
                .noneMatch(service -> ClassUtils.isPresent("org.jolokia.service." + service, null));
    }

    @Test
    void aRequestOfAnotherSiteIsRefused() {
        String read = text(Map.of("type", "version"));
        viewer.get(HAWTIO + "/");
        String token = viewer.cookie("XSRF-TOKEN");

        for (String path : List.of(JOLOKIA, HAWTIO + "/jolokia")) {
            assertThat(viewer.postJson(path, read).statusCode()).as("no token").isEqualTo(403);
            assertThat(viewer.postJson(path, read, "X-XSRF-TOKEN", "x").statusCode())
                    .as("another")
                    .isEqualTo(403);
            assertThat(viewer.postJson(path, read, "Cookie", "XSRF-TOKEN=x", "X-XSRF-TOKEN", "x")
                            .statusCode())
                    .as("a cookie that somebody set")
                    .isNotEqualTo(200);
            HttpResponse<String> ours = viewer.postJson(path, read, "X-XSRF-TOKEN", token);
            assertThat(ours.statusCode()).isEqualTo(200);
            assertThat(json(ours).path("status").asInt()).isEqualTo(200);
        }
        assertThat(nobody.postJson(
                                JOLOKIA,
                                read,
                                "Authorization",
                                Operators.VIEWER.basic(),
                                "Origin",
                                "https://elsewhere.example")
                        .statusCode())
                .as("a browser that has learnt a password")
                .isIn(302, 401, 403);
        assertThat(viewer.postJson(JOLOKIA, read, "X-XSRF-TOKEN", token, "Origin", "http://elsewhere.example")
                        .headers()
                        .map())
                .doesNotContainKeys("access-control-allow-origin");
    }

    @Test
    void thePageKeepsToItself() {
        HttpResponse<String> page = viewer.get(HAWTIO + "/index.html");

        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .contains("default-src 'self'", "script-src 'self';", "frame-ancestors 'none'")
                .doesNotContain("unsafe-eval");
        assertThat(page.headers().allValues("Access-Control-Allow-Origin")).isEmpty();
        assertThat(page.headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .contains("XSRF-TOKEN=", "Path=/actuator/hawtio", "SameSite=Strict");
    }
}
