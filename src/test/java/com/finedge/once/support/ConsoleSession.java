package com.finedge.once.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a browser does that somebody has logged in with, without the browser. */
public final class ConsoleSession implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient http = HttpClient.newBuilder()
            .cookieHandler(cookies)
            .followRedirects(Redirect.NEVER)
            .build();
    private final URI management;

    /** @param management where the application is managed */
    public ConsoleSession(URI management) {
        this.management = management;
    }

    /** Logs in by the form. */
    public ConsoleSession as(Operators who) {
        HttpResponse<String> answer =
                submit("/login", "/login", Map.of("username", who.user(), "password", who.password()));
        if (answer.statusCode() != 302
                || answer.headers().firstValue("Location").orElse("").contains("error")) {
            throw new AssertionError("the login was answered " + answer.statusCode());
        }
        return this;
    }

    /** The answer to a page's request. */
    public HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = request(path).GET();
        return send(request, headers);
    }

    /** Sends a form with the token of the page that it is on. */
    public HttpResponse<String> submit(String page, String path, Map<String, String> fields) {
        Map<String, String> all = new HashMap<>(fields);
        all.put("_csrf", token(get(page).body()));
        return post(path, all);
    }

    /** Sends a form as it is. */
    public HttpResponse<String> post(String path, Map<String, String> fields, String... headers) {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return send(
                request(path)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(body)),
                headers);
    }

    /** Sends JSON, as a script or a program does. */
    public HttpResponse<String> postJson(String path, String json, String... headers) {
        return send(
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)), headers);
    }

    /** The value of a cookie that a script may read. */
    public String cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name) && !cookie.isHttpOnly())
                .map(HttpCookie::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no cookie " + name));
    }

    /** The token of the first form on a page. */
    public static String token(String page) {
        Matcher token = TOKEN.matcher(page);
        if (!token.find()) {
            throw new AssertionError("no form with a token: " + page);
        }
        return token.group(1);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(management + path))
                .timeout(LONGEST)
                .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String... headers) {
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
