package com.finedge.once.config;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may log in at the management port.
 *
 * @param users Who may log in by name: once.console.users.NAME.password, encoded, such as {bcrypt}$2y$10$…, and once.console.users.NAME.role, viewer or operator.
 * @param localUsers Whether there are two users viewer and operator whose passwords are made at each start and logged, for a machine of one's own.
 * @param oidc Who may do what of those who log in by OpenID Connect.
 */
@ConfigurationProperties("once.console")
public record ConsoleProperties(
        @DefaultValue Map<String, User> users,
        @DefaultValue("false") boolean localUsers,
        @DefaultValue Oidc oidc) {

    /** What somebody may do; an operator may do what a viewer may. */
    public enum Right {
        /** May look. */
        VIEWER,
        /** May act. */
        OPERATOR
    }

    /**
     * Somebody who logs in by name.
     *
     * @param password encoded
     */
    public record User(@Nullable String password, @Nullable Right role) {}

    /**
     * Who may do what of those who log in by OpenID Connect, as {@code spring.security.oauth2.client} says where.
     *
     * @param claim Claim of the ID token or of the user info that has the names of roles or groups; dots lead into it, as in realm_access.roles.
     * @param viewer Value of the claim that makes a viewer.
     * @param operator Value of the claim that makes an operator.
     */
    public record Oidc(
            @DefaultValue("roles") String claim,
            @DefaultValue("once-viewer") String viewer,
            @DefaultValue("once-operator") String operator) {}

    /** Of an encoding that is worth the name. */
    private static final Pattern ENCODED = Pattern.compile("\\{(bcrypt|argon2|scrypt|pbkdf2)[^}]*}.{20,}");

    public ConsoleProperties {
        users = Map.copyOf(users);
        users.forEach((name, user) -> {
            Checks.refuse(
                    user.password() == null || !ENCODED.matcher(user.password()).matches(),
                    "once.console.users.%s.password must be encoded and say how, for instance {bcrypt}$2y$10$…: a password "
                            + "in clear is refused",
                    name);
            Checks.refuse(user.role() == null, "once.console.users.%s.role must be viewer or operator", name);
        });
        Checks.refuse(
                localUsers && !users.isEmpty(),
                "once.console.local-users must be false where there are once.console.users: they are for a machine of "
                        + "one's own");
    }

    /** As a role of Spring Security. */
    static String authority(Right right) {
        return "ROLE_" + right.name().toUpperCase(Locale.ROOT);
    }
}
