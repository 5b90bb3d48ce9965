package com.finedge.once.config;

import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.adapter.postgres.JdbcClaimStore;
import com.finedge.once.adapter.resilience4j.BreakingClaimStore;
import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.camel.ExpiredClaims;
import com.finedge.once.camel.GracefulStop;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import java.time.InstantSource;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
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
    ClaimStore claimStore(
            ClaimsProperties properties,
            Circuits circuits,
            ObjectProvider<DynamoDbClient> dynamoDb,
            ObjectProvider<DataSource> database,
            Traces traces) {
        ClaimStore store = switch (properties.store()) {
            case DYNAMODB ->
                traces.claims(new DynamoClaimStore(dynamoDb.getObject(), properties.table()), "aws.dynamodb");
            case JDBC -> traces.claims(inDatabase(database.getObject(), properties), "postgresql");
        };
        return new BreakingClaimStore(store, circuits.claimStore());
    }

    @Bean
    @ConditionalOnProperty(name = "once.claims.store", havingValue = "jdbc")
    ExpiredClaims expiredClaims(DataSource database, ClaimsProperties properties, InstantSource clock) {
        return new ExpiredClaims(inDatabase(database, properties), clock);
    }

    private static JdbcClaimStore inDatabase(DataSource database, ClaimsProperties properties) {
        return new JdbcClaimStore(database, properties.statementTimeout());
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
