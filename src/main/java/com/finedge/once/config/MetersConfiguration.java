package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.camel.InFlightMessages;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.metrics.BillingMeters;
import com.finedge.once.metrics.ChargeMeters;
import com.finedge.once.metrics.ClaimMeters;
import com.finedge.once.metrics.DeadLetterMeters;
import com.finedge.once.metrics.InboxMeters;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.metrics.OutboxMeters;
import com.finedge.once.metrics.ParticipantMeters;
import com.finedge.once.metrics.SagaMeters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is counted. */
@Configuration(proxyBeanMethods = false)
class MetersConfiguration {

    @Bean
    ClaimMeters claimMeters(MeterRegistry meters) {
        return new ClaimMeters(meters);
    }

    @Bean
    ChargeMeters chargeMeters(MeterRegistry meters) {
        return new ChargeMeters(meters);
    }

    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    OutboxMeters outboxMeters(MeterRegistry meters) {
        return new OutboxMeters(meters);
    }

    @Bean
    InboxMeters inboxMeters(MeterRegistry meters) {
        return new InboxMeters(meters);
    }

    @Bean
    @ConditionalOnRole(Role.BILLING)
    BillingMeters billingMeters(MeterRegistry meters) {
        return new BillingMeters(meters);
    }

    @Bean
    @ConditionalOnRole({Role.ORDER_SAGA, Role.CONSOLE})
    SagaMeters sagaMeters(MeterRegistry meters) {
        return new SagaMeters(meters);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_PARTICIPANTS)
    ParticipantMeters participantMeters(MeterRegistry meters) {
        return new ParticipantMeters(meters);
    }

    @Bean
    DeadLetterMeters deadLetterMeters(MeterRegistry meters, InstantSource clock) {
        return new DeadLetterMeters(meters, clock);
    }

    @Bean
    MeterBinder messageMeters(InFlightMessages inFlight, SqsMessages messages, Heartbeat heartbeat) {
        return meters -> {
            Gauge.builder(MeterNames.IN_FLIGHT_FREE, inFlight, InFlightMessages::free)
                    .register(meters);
            Gauge.builder(MeterNames.HOLDING, heartbeat, Heartbeat::holding).register(meters);
            Gauge.builder(MeterNames.HEARTBEAT_LATE, heartbeat, beats -> beats.isLate() ? 1 : 0)
                    .register(meters);
            Gauge.builder(MeterNames.PENDING, messages, SqsMessages::pending).register(meters);
        };
    }
}
