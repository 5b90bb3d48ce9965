package com.finedge.once.config;

import com.finedge.once.config.ConsoleProperties.Right;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.mapping.GrantedAuthoritiesMapper;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.oauth2.core.user.OAuth2UserAuthority;

/** The rights of somebody who has logged in by OpenID Connect: those that a claim gives, and no others. */
final class ClaimedRights implements GrantedAuthoritiesMapper {

    private final ConsoleProperties.Oidc oidc;

    ClaimedRights(ConsoleProperties.Oidc oidc) {
        this.oidc = oidc;
    }

    @Override
    public Collection<? extends GrantedAuthority> mapAuthorities(Collection<? extends GrantedAuthority> authorities) {
        Set<GrantedAuthority> rights = new HashSet<>();
        for (GrantedAuthority authority : authorities) {
            Collection<?> names = claimed(authority);
            if (names.contains(oidc.operator())) {
                rights.addAll(ConsoleUsers.rights(Right.OPERATOR));
            }
            if (names.contains(oidc.viewer())) {
                rights.addAll(ConsoleUsers.rights(Right.VIEWER));
            }
        }
        return rights;
    }

    private Collection<?> claimed(GrantedAuthority authority) {
        Map<String, Object> claims = new LinkedHashMap<>();
        if (authority instanceof OidcUserAuthority user) {
            if (user.getUserInfo() != null) {
                claims.putAll(user.getUserInfo().getClaims());
            }
            // What is signed wins.
            claims.putAll(user.getIdToken().getClaims());
        } else if (authority instanceof OAuth2UserAuthority user) {
            claims.putAll(user.getAttributes());
        }
        return find(claims, oidc.claim());
    }

    private static Collection<?> find(Map<?, ?> claims, String path) {
        Object value = claims.get(path);
        int dot = path.indexOf('.');
        if (value == null && dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
            return find(inner, path.substring(dot + 1));
        }
        return asCollection(value);
    }

    private static Collection<?> asCollection(@Nullable Object value) {
        return switch (value) {
            case null -> List.of();
            case Collection<?> many -> many;
            default -> List.of(value);
        };
    }
}
