package com.finedge.once.config;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.json.OperatorJson;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.sqs.SqsRedrives;
import com.finedge.once.adapter.web.DeadLettersApi;
import com.finedge.once.audit.AuditLog;
import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.ChargeEffects;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.claim.Claims;
import com.finedge.once.console.ManagementRoutes;
import com.finedge.once.deadletter.DeadLetterListener;
import com.finedge.once.deadletter.DeadLetters;
import com.finedge.once.deadletter.Effects;
import com.finedge.once.deadletter.RedrivableQueue;
import com.finedge.once.deadletter.Redrives;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Dead letters of charges, and the log of what operators do. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.CONSOLE)
class DeadLetterConfiguration {

    @Bean
    RedrivableQueue chargesDeadLetters(SqsClient sqs, SqsQueues queues, ChargesProperties charges) {
        return new SqsRedrives(sqs, queues, charges.deadLetterQueue(), charges.queue());
    }

    @Bean
    Effects chargeEffects(ChargeRecoveryService service, AccountDebitPort bank, ChargesProperties charges) {
        ChargeDueEventJson json = new ChargeDueEventJson();
        return new ChargeEffects(service, bank, json::read, json::write, charges.types());
    }

    @Bean
    DeadLetters lettersAndClaims(
            RedrivableQueue queue, Effects effects, Claims claims, AuditLog audit, InstantSource clock) {
        return new DeadLetters(queue, effects, claims, audit, clock);
    }

    @Bean
    Redrives redrives(
            RedrivableQueue queue,
            Effects effects,
            Claims claims,
            AuditLog audit,
            DeadLettersProperties deadLetters,
            InstantSource clock,
            DeadLetterListener listener) {
        return new Redrives(queue, effects, claims, audit, deadLetters.hold(), clock, UUID::randomUUID, listener);
    }

    /** Routed by nobody here: the public port is no place for it. */
    @Bean
    DeadLettersApi deadLettersApi(DeadLetters letters, Redrives redrives, AuditLog audit) {
        OperatorJson json = new OperatorJson();
        return new DeadLettersApi(
                letters, redrives, audit, json::readRedrive, json::readReason, json::readCorrection, json::write);
    }

    @Bean
    ManagementRoutes deadLettersRoutes(DeadLettersApi api) {
        return api::routes;
    }
}
