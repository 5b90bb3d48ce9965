package com.finedge.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.RunningOnce;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.web.util.UriComponentsBuilder;

/** A login by OpenID Connect, at a provider that signs whatever the test says. */
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleOidcIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    private final RSAKey key = new RSAKeyGenerator(2048).keyID("k").generate();
    private final AtomicReference<JWTClaimsSet> next = new AtomicReference<>();
    private final HttpServer provider =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final RunningOnce once;

    ConsoleOidcIT() throws JOSEException, IOException {
        provider.createContext("/keys", call -> answer(call, new JWKSet(key.toPublicJWK()).toString()));
        provider.createContext(
                "/token",
                call -> answer(
                        call,
                        "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":60,\"id_token\":\"%s\"}"
                                .formatted(signed(next.get()))));
        provider.start();
        String url = "http://127.0.0.1:" + provider.getAddress().getPort();
        PostgresServer.Database database = SERVICES.postgres().fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(database.properties());
        settings.put("once.roles", "console");
        settings.put("once.console.oidc.claim", "realm_access.roles");
        String client = "spring.security.oauth2.client.registration.corp.";
        settings.put(client + "client-id", "once");
        settings.put(client + "client-secret", "secret");
        settings.put(client + "client-name", "the company");
        settings.put(client + "authorization-grant-type", "authorization_code");
        settings.put(client + "redirect-uri", "{baseUrl}/login/oauth2/code/{registrationId}");
        settings.put(client + "scope", "openid");
        String there = "spring.security.oauth2.client.provider.corp.";
        settings.put(there + "authorization-uri", url + "/authorize");
        settings.put(there + "token-uri", url + "/token");
        settings.put(there + "jwk-set-uri", url + "/keys");
        settings.put(there + "user-name-attribute", "preferred_username");
        once = RunningOnce.start(settings);
    }

    @AfterAll
    void stop() {
        once.close();
        provider.stop(0);
    }

    private static void answer(HttpExchange call, String json) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        call.getResponseHeaders().add("Content-Type", "application/json");
        call.sendResponseHeaders(200, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    private String signed(JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k").build(), claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Goes to the provider and comes back with what it grants. */
    private HttpResponse<String> logIn(ConsoleSession somebody, List<String> roles) {
        URI away = URI.create(somebody.get("/oauth2/authorization/corp")
                .headers()
                .firstValue("Location")
                .orElseThrow());
        Map<String, String> asked =
                UriComponentsBuilder.fromUri(away).build().getQueryParams().toSingleValueMap();
        next.set(new JWTClaimsSet.Builder()
                .issuer("http://127.0.0.1")
                .subject("4711")
                .audience("once")
                .claim("nonce", URLDecoder.decode(asked.getOrDefault("nonce", ""), UTF_8))
                .claim("preferred_username", "alice")
                .claim("realm_access", Map.of("roles", roles))
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                .build());
        String state = URLDecoder.decode(asked.getOrDefault("state", ""), UTF_8);
        return somebody.get("/login/oauth2/code/corp?code=c&state=" + URLEncoder.encode(state, UTF_8));
    }

    @Test
    void theClaimSaysWhoIsAnOperator() {
        try (ConsoleSession somebody = new ConsoleSession(once.managementUrl())) {
            assertThat(somebody.get("/login").body())
                    .contains("Log in with the company")
                    .doesNotContain("name=\"password\"");

            assertThat(logIn(somebody, List.of("staff", "once-operator")).statusCode())
                    .isEqualTo(302);

            assertThat(somebody.get("/console").body()).contains(">alice<", ">operator<");
            assertThat(somebody.submit("/console/redrive", "/console/redrive", Map.of("why", "test"))
                            .statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void aViewerLooksAndDoesNotAct() {
        try (ConsoleSession somebody = new ConsoleSession(once.managementUrl())) {
            logIn(somebody, List.of("once-viewer"));

            HttpResponse<String> page = somebody.get("/console");
            assertThat(page.body()).contains(">alice<", ">viewer<");
            Map<String, String> form = Map.of("_csrf", ConsoleSession.token(page.body()), "why", "test");
            assertThat(somebody.post("/console/redrive", form).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void whoHasNoRoleSeesNothing() {
        try (ConsoleSession somebody = new ConsoleSession(once.managementUrl())) {
            logIn(somebody, List.of("staff", "OPERATOR", "ROLE_OPERATOR"));

            assertThat(somebody.get("/console").statusCode()).isEqualTo(403);
            assertThat(somebody.get("/actuator/outbox").statusCode()).isEqualTo(403);
        }
    }

    /** A strict cookie wouldn't come back from the provider's site. */
    @Test
    void theCookieComesBackFromTheProvider() {
        try (ConsoleSession somebody = new ConsoleSession(once.managementUrl())) {
            assertThat(somebody.get("/oauth2/authorization/corp").headers().allValues("Set-Cookie"))
                    .singleElement()
                    .asString()
                    .contains("HttpOnly", "SameSite=Lax");
        }
    }
}
