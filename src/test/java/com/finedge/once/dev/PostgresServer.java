package com.finedge.once.dev;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL of its own on this machine, its data in a temporary folder. */
public final class PostgresServer implements AutoCloseable {

    /** Owns the databases and migrates them. */
    private static final String OWNER = "once_owner";

    /** What the application runs as. */
    private static final String USER = "once";

    private static final String PASSWORD = "local";
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final EmbeddedPostgres postgres;

    private PostgresServer(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /**
     * Starts it.
     *
     * @param port 0 takes a free one
     * @throws ServiceStartException when it can't start
     */
    public static PostgresServer start(int port) {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setPGStartupWait(LONGEST_START)
                    // Lost with the machine is lost with the test.
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", "200")
                    .start();
            PostgresServer server = new PostgresServer(postgres);
            server.execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(OWNER, PASSWORD));
            server.execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(USER, PASSWORD));
            return server;
        } catch (IOException e) {
            throw new ServiceStartException("PostgreSQL can't start: " + e.getMessage(), e);
        }
    }

    /** A new, empty database. */
    public Database create(String name) {
        execute("CREATE DATABASE %s OWNER %s".formatted(name, OWNER));
        return new Database(name, postgres.getPort());
    }

    /** A new, empty database whose name nobody else uses. */
    public Database fresh() {
        return create("once_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12));
    }

    /** Ends all connections of a database, as a restart of the server or a proxy would. */
    public void cut(Database database) {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
                .formatted(database.name()));
    }

    /** Ends all connections of a database and lets no new ones in, until it is {@link #back}. */
    public void away(Database database) {
        execute("ALTER DATABASE %s ALLOW_CONNECTIONS false".formatted(database.name()));
        cut(database);
    }

    /** Lets connections in again. */
    public void back(Database database) {
        execute("ALTER DATABASE %s ALLOW_CONNECTIONS true".formatted(database.name()));
    }

    private void execute(String sql) {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One database of the server. */
    public record Database(String name, int port) {

        /** Where JDBC finds it. */
        public String url() {
            return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, name);
        }

        /** The application's settings that lead it here. */
        public Map<String, String> properties() {
            return Map.of(
                    "spring.datasource.url", url(),
                    "spring.datasource.username", USER,
                    "spring.datasource.password", PASSWORD,
                    "spring.flyway.user", OWNER,
                    "spring.flyway.password", PASSWORD);
        }

        /** Connections as the application's user. */
        public DataSource dataSource() {
            return dataSource(USER);
        }

        /** A pool of connections as the application's user; whoever asks for it closes it. */
        public HikariDataSource pool(int size) {
            var pool = new HikariConfig();
            pool.setDataSource(dataSource());
            pool.setMaximumPoolSize(size);
            return new HikariDataSource(pool);
        }

        /** Connections as the database's owner. */
        public DataSource ownersDataSource() {
            return dataSource(OWNER);
        }

        private DataSource dataSource(String user) {
            var dataSource = new PGSimpleDataSource();
            dataSource.setUrl(url());
            dataSource.setUser(user);
            dataSource.setPassword(PASSWORD);
            return dataSource;
        }

        /** Runs the application's migrations. */
        public Database migrated() {
            Flyway.configure()
                    .dataSource(ownersDataSource())
                    .placeholders(Map.of("application_user", USER))
                    .load()
                    .migrate();
            return this;
        }
    }
}
