package com.finedge.once.camel;

import java.util.Set;
import org.apache.camel.spi.PropertiesFunction;

/** {@code {{role:NAME}}} in a route's precondition is true where this process has that role. */
public final class RoleFunction implements PropertiesFunction {

    private final Set<String> roles;

    /** @param roles as they are written in settings, for instance {@code charge-recovery} */
    public RoleFunction(Set<String> roles) {
        this.roles = Set.copyOf(roles);
    }

    @Override
    public String getName() {
        return "role";
    }

    @Override
    public String apply(String role) {
        return Boolean.toString(roles.contains(role));
    }
}
