package com.finedge.once.config;

import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Claims;
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
    ClaimStore claimStore(DynamoDbClient dynamoDb, ClaimsProperties properties) {
        return new DynamoClaimStore(dynamoDb, properties.table());
    }

    @Bean
    Claims claims(ClaimStore store, ClaimsProperties properties, InstantSource clock, ClaimListener listener) {
        return new Claims(store, properties.lease(), properties.retention(), clock, UUID::randomUUID, listener);
    }
}
