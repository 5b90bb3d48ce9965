package com.finedge.once.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcClientAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Leaves the database out of a process that keeps nothing in it: it must start without PostgreSQL. */
class DatabaseWhereNeeded implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final Set<String> DATABASE = Set.of(
            DataSourceAutoConfiguration.class.getName(),
            DataSourceTransactionManagerAutoConfiguration.class.getName(),
            JdbcTemplateAutoConfiguration.class.getName(),
            JdbcClientAutoConfiguration.class.getName(),
            FlywayAutoConfiguration.class.getName());

    private boolean needed;

    @Override
    public void setEnvironment(Environment environment) {
        needed = Role.of(environment).stream().anyMatch(Role::needsDatabase)
                || ClaimsProperties.Store.of(environment) == ClaimsProperties.Store.JDBC;
    }

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean[] kept = new boolean[configurations.length];
        for (int i = 0; i < kept.length; i++) {
            String name = configurations[i];
            kept[i] = needed || name == null || !DATABASE.contains(name);
        }
        return kept;
    }
}
