package com.finedge.once.adapter.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one connection of its own for commits that brought something into the outbox.
 *
 * <p>A notification can get lost with the connection, so whoever relies on it looks now and then by itself; a new
 * connection begins with a wake-up.
 */
public final class PostgresWakeUps implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostgresWakeUps.class);

    private static final String CHANNEL = "outbox";

    /** A connection that has silently gone is noticed after so long. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final int ANSWER_SECONDS = 5;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final Runnable wake;
    private volatile boolean running;
    private volatile boolean listening;
    private @Nullable Thread thread;

    /** @param wake is run on the listening thread; must not throw and not block */
    public PostgresWakeUps(DataSource dataSource, Runnable wake) {
        this.dataSource = dataSource;
        this.wake = wake;
    }

    /** Begins to listen. */
    public synchronized void start() {
        running = true;
        thread = Thread.ofVirtual().name("outbox-wake-ups").start(this::run);
    }

    /** Whether it hears of commits now. */
    public boolean isListening() {
        return listening;
    }

    private void run() {
        while (running) {
            try {
                listen();
            } catch (SQLException | RuntimeException e) {
                if (running) {
                    log.warn("Not woken by commits, until the next sweep or connection: {}", e.toString());
                    pause();
                }
            } finally {
                listening = false;
            }
        }
    }

    private void listen() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            PGConnection notifications = connection.unwrap(PGConnection.class);
            statement.execute("LISTEN " + CHANNEL);
            try {
                listening = true;
                wake.run();
                while (running) {
                    PGNotification[] heard = notifications.getNotifications((int) SILENCE.toMillis());
                    if (heard != null && heard.length > 0) {
                        wake.run();
                    } else if (!connection.isValid(ANSWER_SECONDS)) {
                        throw new SQLException("the connection that listens doesn't answer");
                    }
                }
            } finally {
                // Back in its pool it must not go on collecting notifications. After the interrupt of close() it is
                // broken.
                if (running && !connection.isClosed()) {
                    statement.execute("UNLISTEN *");
                }
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() {
        running = false;
        if (thread != null) {
            // Ends the read that waits for the next notification, and with it the connection.
            thread.interrupt();
        }
    }
}
