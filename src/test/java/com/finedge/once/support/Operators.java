package com.finedge.once.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Two people who may log in at the management port of an application that is started with these settings. */
public enum Operators {
    /** May look. */
    VIEWER,
    /** May look and act. */
    OPERATOR;

    /** Who they are, and what they may. */
    public static final Map<String, String> SETTINGS = Map.of(
            "once.console.users.viewer.password",
            VIEWER.encoded(),
            "once.console.users.viewer.role",
            "viewer",
            "once.console.users.operator.password",
            OPERATOR.encoded(),
            "once.console.users.operator.role",
            "operator");

    /** The name to log in with. */
    public String user() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The password to log in with. */
    public String password() {
        return "password of " + user();
    }

    /** As a header {@code Authorization}. */
    public String basic() {
        return "Basic " + Base64.getEncoder().encodeToString((user() + ":" + password()).getBytes(UTF_8));
    }

    private String encoded() {
        return "{bcrypt}" + new BCryptPasswordEncoder(4).encode(password());
    }
}
