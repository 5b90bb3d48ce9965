package com.finedge.once.bench;

import com.finedge.once.saga.SagaStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements of the transactions that move sagas; BEGIN and COMMIT are none. A source of an application. */
final class CountedStatements implements BeanPostProcessor {

    private static final AtomicLong STATEMENTS = new AtomicLong();

    /** How deep the thread is in a transaction of the store. */
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

    /** Of all applications in this JVM. */
    static long statements() {
        return STATEMENTS.get();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return switch (bean) {
            case DataSource dataSource -> new Counting(dataSource);
            case SagaStore store -> proxy(SagaStore.class, (method, arguments) -> within(store, method, arguments));
            default -> bean;
        };
    }

    private @Nullable Object within(SagaStore store, Method method, Object @Nullable [] arguments) throws Throwable {
        if (!method.getName().equals("inTransaction")) {
            return invoke(store, method, arguments);
        }
        depth.set(depth.get() + 1);
        try {
            return invoke(store, method, arguments);
        } finally {
            depth.set(depth.get() - 1);
        }
    }

    private final class Counting extends DelegatingDataSource {

        private Counting(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return proxy(Connection.class, (method, arguments) -> {
                if (depth.get() > 0 && method.getName().startsWith("prepare")) {
                    STATEMENTS.incrementAndGet();
                }
                return invoke(connection, method, arguments);
            });
        }
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object of(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                CountedStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.of(method, arguments)));
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
