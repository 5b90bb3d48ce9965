package com.finedge.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.corebanking.HttpAccountDebits;
import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.notification.HttpNotifications;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.ChargeStatus;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.OutcomePort;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.Claims;
import com.finedge.once.retry.BackOff;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What every peer does with a message: Once's own core and clients, so that only the consumer around it differs. */
final class ChargeWork {

    private static final int SPARE_CONNECTIONS = 16;

    private final ChargeDueEventJson json = new ChargeDueEventJson();
    private final ChargeRecoveryService service;

    private ChargeWork(ChargeRecoveryService service) {
        this.service = service;
    }

    /** @param inFlight how many messages are handled at once: each finds a connection of its own */
    static ChargeWork of(Peer.Endpoints endpoints, int inFlight) {
        DynamoDbClient dynamoDb = DynamoDbClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(endpoints.dynamodb())
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(inFlight + SPARE_CONNECTIONS))
                .overrideConfiguration(call -> call.apiCallTimeout(Duration.ofSeconds(5)))
                .build();
        Claims claims = new Claims(
                new DynamoClaimStore(dynamoDb, endpoints.table()),
                Duration.ofSeconds(30),
                Duration.ofDays(60),
                InstantSource.system(),
                UUID::randomUUID,
                ClaimListener.NONE);
        return new ChargeWork(new ChargeRecoveryService(
                claims,
                new HttpAccountDebits(restClient(endpoints.bank(), inFlight), new ObjectMapper()),
                new HttpNotifications(restClient(endpoints.bank(), inFlight)),
                OutcomePort.NONE,
                InstantSource.system(),
                5,
                new BackOff(Duration.ofSeconds(5), Duration.ofMinutes(15)),
                () -> ThreadLocalRandom.current().nextLong()));
    }

    private static RestClient restClient(URI url, int inFlight) {
        CloseableHttpClient connections = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(inFlight)
                        .setMaxConnTotal(inFlight)
                        .build())
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
        return RestClient.builder()
                .baseUrl(url.toString())
                .requestFactory(new HttpComponentsClientHttpRequestFactory(connections))
                .build();
    }

    /**
     * Recovers the charge, or finds that it is recovered.
     *
     * @return whether the message has ended; one that hasn't is left to its visibility timeout
     * @throws IllegalStateException for what this benchmark has no messages for
     */
    boolean ends(String body) {
        Charge charge = Charge.of(json.read(body));
        ClaimResult result = service.claim(charge);
        return switch (result) {
            case ClaimResult.Acquired acquired -> recovers(charge, acquired);
            case ClaimResult.Done done -> true;
            case ClaimResult.InProgress held -> false;
            case ClaimResult.Failed failed -> throw unexpected(charge, result);
            case ClaimResult.Conflict conflict -> throw unexpected(charge, result);
        };
    }

    private boolean recovers(Charge charge, ClaimResult.Acquired acquired) {
        if (!(service.debit(acquired.claim(), charge) instanceof DebitResult.Debited debited)) {
            throw new IllegalStateException(charge.id() + " was not debited");
        }
        var notification = service.notifyCustomer(charge, debited);
        return service.complete(acquired.claim(), charge, debited, notification).status() == ChargeStatus.RECOVERED;
    }

    private static IllegalStateException unexpected(Charge charge, ClaimResult result) {
        return new IllegalStateException(charge.id() + ": " + result.outcome());
    }
}
