package com.finedge.once.config;

import com.finedge.once.adapter.postgres.PostgresAuditLog;
import com.finedge.once.audit.AuditLog;
import com.finedge.once.console.OperatorActions;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What operators do, and the log of it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS, Role.CONSOLE})
class AuditConfiguration {

    @Bean
    AuditLog auditLog(JdbcClient jdbc) {
        return new PostgresAuditLog(jdbc);
    }

    @Bean
    OperatorActions operatorActions(AuditLog audit, InstantSource clock) {
        return new OperatorActions(audit, clock);
    }
}
