package com.finedge.once.dev;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * A bank with idempotency keys, the sink of notifications, and a payment provider, on one port of 127.0.0.1 and in memory.
 *
 * <p>The same key with the same content gets the same receipt and moves no money twice; with other content it is
 * refused. The lists tell what has really happened, whatever the caller was told; a {@link Fault} makes the two differ.
 */
public final class CoreBankingSimulator implements AutoCloseable {

    private final AnnotationConfigServletWebServerApplicationContext context;
    private final CoreBankingRoutes routes;

    private CoreBankingSimulator(AnnotationConfigServletWebServerApplicationContext context) {
        this.context = context;
        this.routes = context.getBean(CoreBankingRoutes.class);
    }

    /**
     * Starts a bank that answers when this method returns.
     *
     * @param port 0 for a free one
     * @throws ServiceStartException when the port is taken
     */
    public static CoreBankingSimulator start(int port) {
        // No SpringApplication: it would read the application's own configuration files and set up its logging again.
        var context = new AnnotationConfigServletWebServerApplicationContext();
        var sources = context.getEnvironment().getPropertySources();
        sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        sources.remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        sources.addFirst(new MapPropertySource(
                "core-banking",
                Map.of(
                        "server.address",
                        "127.0.0.1",
                        "server.port",
                        port,
                        // Held answers belong to clients that have given up: nothing to wait for.
                        "server.shutdown",
                        "immediate",
                        "spring.threads.virtual.enabled",
                        true)));
        context.register(CoreBankingRoutes.class);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            PortInUseException.ifCausedBy(e, PortInUseException.class, taken -> {
                throw ServiceStartException.portTaken("The core-banking simulator", port);
            });
            throw e;
        }
        return new CoreBankingSimulator(context);
    }

    /** Where clients reach the debits, the notifications and the faults. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + context.getWebServer().getPort());
    }

    /** Every debit, in the order in which money moved. */
    public List<Debit> debits() {
        return routes.ledger().debits();
    }

    /** The debits for one charge; more than one is what Once exists to prevent. */
    public List<Debit> debits(String chargeId) {
        return debits().stream().filter(d -> d.chargeId().equals(chargeId)).toList();
    }

    /** Every notification, in the order in which they went out. */
    public List<Notification> notifications() {
        return routes.ledger().notifications();
    }

    /** The notifications about one charge. */
    public List<Notification> notifications(String chargeId) {
        return notifications().stream()
                .filter(n -> n.chargeId().equals(chargeId))
                .toList();
    }

    /** Every payment, in the order in which money was taken. */
    public List<Payment> payments() {
        return routes.ledger().payments();
    }

    /** The payments for one order. */
    public List<Payment> payments(String orderId) {
        return payments().stream().filter(p -> p.orderId().equals(orderId)).toList();
    }

    /** Lets the coming calls for this charge or order go wrong, in place of a fault set before on the same call. */
    public void fault(String chargeId, Fault fault) {
        routes.ledger().fault(chargeId, fault);
    }

    /** Lets the coming calls for this charge or order go well again. */
    public void clearFaults(String chargeId) {
        routes.ledger().clearFaults(chargeId);
    }

    /** Forgets all debits, notifications, payments and faults; calls that are held end without effect on what follows. */
    public void reset() {
        routes.clear();
    }

    @Override
    public void close() {
        routes.clear();
        context.close();
    }
}
