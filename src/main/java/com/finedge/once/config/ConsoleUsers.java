package com.finedge.once.config;

import com.finedge.once.config.ConsoleProperties.Right;
import com.finedge.once.config.ConsoleProperties.User;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Those who log in by name and password. */
final class ConsoleUsers {

    private static final Logger log = LoggerFactory.getLogger(ConsoleUsers.class);

    private static final int PASSWORD_BYTES = 15;

    /** The least: nobody guesses such a password, however fast he may try. */
    private static final int ROUNDS = 4;

    private final List<UserDetails> users = new ArrayList<>();

    ConsoleUsers(ConsoleProperties console, boolean others) {
        console.users()
                .forEach((name, user) -> users.add(user(name, Objects.requireNonNull(user.password()), role(user))));
        if (console.localUsers()) {
            String viewer = newPassword();
            String operator = newPassword();
            users.add(user("viewer", encoded(viewer), Right.VIEWER));
            users.add(user("operator", encoded(operator), Right.OPERATOR));
            log.warn("Until the next start, log in as viewer with {} or as operator with {}", viewer, operator);
        } else if (users.isEmpty() && !others) {
            log.info("Nobody can log in at the management port: there are no once.console.users");
        }
    }

    UserDetailsService service() {
        return new InMemoryUserDetailsManager(users);
    }

    /** An operator may do what a viewer may. */
    static List<GrantedAuthority> rights(Right right) {
        return EnumSet.range(Right.VIEWER, right).stream()
                .<GrantedAuthority>map(each -> new SimpleGrantedAuthority(ConsoleProperties.authority(each)))
                .toList();
    }

    private static Right role(User user) {
        return Objects.requireNonNull(user.role());
    }

    private static UserDetails user(String name, String password, Right right) {
        return org.springframework.security.core.userdetails.User.withUsername(name)
                .password(password)
                .authorities(rights(right))
                .build();
    }

    private static String newPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String encoded(String password) {
        return "{bcrypt}" + new BCryptPasswordEncoder(ROUNDS).encode(password);
    }
}
