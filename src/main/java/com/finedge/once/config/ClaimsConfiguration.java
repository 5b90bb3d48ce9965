package com.finedge.once.config;

import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.adapter.resilience4j.BreakingClaimStore;
import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.camel.GracefulStop;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Who may perform an effect. */
@Configuration(proxyBeanMethods = false)
class ClaimsConfiguration {

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    ClaimStore claimStore(DynamoDbClient dynamoDb, ClaimsProperties properties, Circuits circuits) {
        return new BreakingClaimStore(new DynamoClaimStore(dynamoDb, properties.table()), circuits.claimStore());
    }

    @Bean
    Circuits circuits(OnceProperties once) {
        return new Circuits(once.circuitPause(), ChargesProperties.POLL);
    }

    /** Started and closed by {@link GracefulStop}, which knows when. */
    @Bean(destroyMethod = "")
    Heartbeat heartbeat(
            Claims claims,
            ClaimsProperties properties,
            ChargesProperties charges,
            InstantSource clock,
            ClaimListener listener) {
        return new Heartbeat(claims, properties.lease(), charges.visibility(), properties.maxHold(), clock, listener);
    }

    @Bean
    Claims claims(ClaimStore store, ClaimsProperties properties, InstantSource clock, ClaimListener listener) {
        return new Claims(store, properties.lease(), properties.retention(), clock, UUID::randomUUID, listener);
    }
}
