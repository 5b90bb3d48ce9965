package com.finedge.once.camel;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.camel.spi.PropertiesFunction;

/** {@code {{role:NAME,NAME}}} in a route's precondition is true where this process has one of those roles. */
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
    public String apply(String names) {
        return Boolean.toString(Stream.of(names.split(",", -1)).anyMatch(roles::contains));
    }
}
