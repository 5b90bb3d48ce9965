package com.finedge.once.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Ends the process at the point that {@code once.test.halt-at} names, when it gets there for the time that {@code
 * once.test.halt-on} says; at {@link HaltingPoint#APPLIED} it stands still until it is killed, as relays go on there. Points are known by their statements, between which the application is nowhere else.
 */
final class HaltingDatabase implements BeanPostProcessor, EnvironmentAware {

    private static final String TRANSITION = "INSERT INTO saga_event";
    private static final String DUE_SAGA = "FOR UPDATE SKIP LOCKED";
    private static final String PARTICIPANT = "UPDATE participant_op";
    private static final String LEASE = "WITH due AS MATERIALIZED";
    private static final String MARK = "UPDATE outbox SET state = 'SENT'";

    private final AtomicInteger met = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean reached;
    private volatile @Nullable HaltingPoint point;
    private volatile int time = 1;

    @Override
    public void setEnvironment(Environment environment) {
        point = environment.getProperty("once.test.halt-at", HaltingPoint.class);
        time = environment.getProperty("once.test.halt-on", Integer.class, 1);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        HaltingPoint at = point;
        return at != null && bean instanceof DataSource dataSource ? new Watched(dataSource, at) : bean;
    }

    private boolean isTime() {
        return met.incrementAndGet() == time;
    }

    private static void halt(HaltingPoint point) {
        System.out.println("halting at " + point);
        Runtime.getRuntime().halt(1);
    }

    private void standStill() {
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Before a statement. */
    private void before(String sql, HaltingPoint at) {
        switch (at) {
            case TRANSITION_COMMITTED -> {
                if (reached && sql.contains(LEASE)) {
                    standStill();
                }
            }
            case PUBLISHED -> {
                if (sql.contains(MARK) && isTime()) {
                    halt(at);
                }
            }
            default -> {}
        }
    }

    /** Before the commit of a transaction of these statements. */
    private void beforeCommit(List<String> statements, HaltingPoint at) {
        switch (at) {
            case TIMER_INSIDE -> {
                if (contains(statements, DUE_SAGA) && contains(statements, TRANSITION) && isTime()) {
                    halt(at);
                }
            }
            case PARTICIPANT_INSIDE -> {
                if (contains(statements, PARTICIPANT) && isTime()) {
                    halt(at);
                }
            }
            case TRANSITION_COMMITTED -> {
                if (contains(statements, TRANSITION) && isTime()) {
                    reached = true;
                }
            }
            default -> {}
        }
    }

    /** After the commit of a transaction of these statements. */
    private void afterCommit(List<String> statements, HaltingPoint at) {
        switch (at) {
            case TRANSITION_COMMITTED -> {
                if (reached && contains(statements, TRANSITION)) {
                    halt(at);
                }
            }
            case APPLIED -> {
                if (contains(statements, TRANSITION) && isTime()) {
                    System.out.println("standing still at " + at);
                    standStill();
                }
            }
            case PARTICIPANT_COMMITTED -> {
                if (contains(statements, PARTICIPANT) && isTime()) {
                    halt(at);
                }
            }
            default -> {}
        }
    }

    private static boolean contains(List<String> statements, String part) {
        return statements.stream().anyMatch(sql -> sql.contains(part));
    }

    private final class Watched extends DelegatingDataSource {

        private final HaltingPoint at;

        Watched(DataSource target, HaltingPoint at) {
            super(target);
            this.at = at;
        }

        /** Whoever looks for the pool finds it. */
        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            DataSource target = obtainTargetDataSource();
            return type.isInstance(target) ? type.cast(target) : super.unwrap(type);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            List<String> statements = new ArrayList<>();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        boolean commits = method.getName().equals("commit");
                        if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
                            before(sql, at);
                            statements.add(sql);
                        } else if (commits) {
                            beforeCommit(statements, at);
                        }
                        Object result = invoke(connection, method, arguments);
                        if (commits || method.getName().equals("rollback")) {
                            List<String> ended = List.copyOf(statements);
                            statements.clear();
                            if (commits) {
                                afterCommit(ended, at);
                            }
                        }
                        return result;
                    });
        }

        private static @Nullable Object invoke(Connection connection, Method method, Object[] arguments)
                throws Throwable {
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
