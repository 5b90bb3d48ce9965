package com.finedge.once.config;

import com.finedge.once.adapter.json.BillingJson;
import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.json.ChargeOutcomeJson;
import com.finedge.once.adapter.postgres.PostgresCharges;
import com.finedge.once.adapter.postgres.PostgresIdempotencyKeys;
import com.finedge.once.adapter.web.ChargesApi;
import com.finedge.once.billing.Billing;
import com.finedge.once.billing.BillingListener;
import com.finedge.once.camel.OutcomeSteps;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.outbox.Outbox;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Raising charges, and the HTTP API to it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.BILLING)
class BillingConfiguration {

    /** Another transaction may hold a charge id for as long as its process is paused; nobody is to wait for that. */
    private static final int LONGEST_TRANSACTION_SECONDS = 5;

    @Bean
    OutcomeSteps outcomes(Inbox inbox, Billing billing) {
        return new OutcomeSteps(new ChargeOutcomeJson(), inbox, billing);
    }

    @Bean
    Billing billing(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            Outbox outbox,
            BillingProperties billing,
            ChargesProperties charges,
            InstantSource clock,
            BillingListener listener) {
        TransactionTemplate bounded = new TransactionTemplate(transactions);
        bounded.setTimeout(LONGEST_TRANSACTION_SECONDS);
        return new Billing(
                new PostgresCharges(jdbc, bounded),
                new PostgresIdempotencyKeys(jdbc),
                billing.idempotencyRetention(),
                outbox,
                charges.queue(),
                new ChargeDueEventJson()::write,
                charges.types(),
                clock,
                UUID::randomUUID,
                listener);
    }

    /** A router and no annotated controller: the component scan would find one in every role. */
    @Bean
    RouterFunction<ServerResponse> chargesApi(Billing billing) {
        BillingJson json = new BillingJson();
        return new ChargesApi(billing, json::readRequest, json::write).routes();
    }
}
