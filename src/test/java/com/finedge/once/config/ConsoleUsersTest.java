package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.config.ConsoleProperties.Oidc;
import com.finedge.once.config.ConsoleProperties.Right;
import com.finedge.once.config.ConsoleProperties.User;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** Who can log in by name. */
class ConsoleUsersTest {

    private static final Oidc OIDC = new Oidc("roles", "once-viewer", "once-operator");

    private static UserDetailsService users(Map<String, User> users, boolean local) {
        return new ConsoleUsers(new ConsoleProperties(users, local, OIDC), false).service();
    }

    private static List<String> rights(UserDetailsService users, String name) {
        return users.loadUserByUsername(name).getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .toList();
    }

    @Test
    void byDefaultNobody() {
        UserDetailsService nobody = users(Map.of(), false);

        for (String name : List.of("viewer", "operator", "user", "admin")) {
            assertThatThrownBy(() -> nobody.loadUserByUsername(name)).isInstanceOf(UsernameNotFoundException.class);
        }
    }

    @Test
    void onOnesOwnMachineAViewerAndAnOperatorWithOtherPasswordsEachTime() {
        UserDetailsService local = users(Map.of(), true);

        assertThat(rights(local, "viewer")).containsExactly("ROLE_VIEWER");
        assertThat(rights(local, "operator")).containsExactlyInAnyOrder("ROLE_VIEWER", "ROLE_OPERATOR");
        assertThat(local.loadUserByUsername("viewer").getPassword())
                .startsWith("{bcrypt}")
                .isNotEqualTo(users(Map.of(), true).loadUserByUsername("viewer").getPassword());
    }

    @Test
    void elsewhereThoseThatAreNamed() {
        UserDetailsService named =
                users(Map.of("alice", new User("{bcrypt}$2y$10$" + "x".repeat(53), Right.VIEWER)), false);

        assertThat(rights(named, "alice")).containsExactly("ROLE_VIEWER");
    }
}
