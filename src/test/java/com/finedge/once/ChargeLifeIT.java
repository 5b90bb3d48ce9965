package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.json.ChargeOutcomeJson;
import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.Billing;
import com.finedge.once.billing.ChargeState;
import com.finedge.once.billing.Settlement;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.Claims;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.dev.Debit;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A charge from the request that raises it to the answer that it was recovered, through every queue and both roles. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChargeLifeIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final LocalResources resources = SERVICES.create(LocalResources.unique()
            .withOutcomesQueue("charge-outcomes-" + Events.newChargeId())
            .withMaxReceiveCount(22));
    private final Queue outcomes = Queue.named(SERVICES.sqs(), String.valueOf(resources.outcomesQueue()));
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final HttpClient http = HttpClient.newHttpClient();
    private final RunningOnce once = start();

    private RunningOnce start() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.put("once.roles", "charge-recovery,billing");
        return RunningOnce.start(settings);
    }

    @AfterAll
    void stop() {
        once.close();
        http.close();
    }

    private int post(String chargeId) throws IOException, InterruptedException {
        return post(chargeId, "19.90", "EUR");
    }

    private int post(String chargeId, String amount, String currency) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create(once.url() + "/charges"))
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", "\"" + chargeId + "\"")
                                .POST(BodyPublishers.ofString("""
                                        {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"%s",\
                                        "currency":"%s","dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId, amount, currency)))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private BilledCharge billed(String chargeId) {
        return once.bean(Billing.class).find(chargeId).orElseThrow();
    }

    private BilledCharge settled(String chargeId) {
        return await().atMost(LONGEST).until(() -> billed(chargeId), charge -> charge.settlement() != null);
    }

    private long received() {
        return jdbc.sql("SELECT count(*) FROM inbox").query(Long.class).single();
    }

    private void untilApplied() {
        await().atMost(LONGEST).until(() -> outcomes.size() == 0);
    }

    @Test
    void aChargeThatIsRaisedIsRecoveredAndBillingLearnsOfIt() throws Exception {
        String chargeId = Events.newChargeId();

        assertThat(post(chargeId)).isEqualTo(201);

        assertThat(settled(chargeId).settlement()).isInstanceOfSatisfying(Settlement.Recovered.class, recovered -> {
            assertThat(recovered.outcome()).hasToString("DEBITED");
            assertThat(SERVICES.bank().debits(chargeId))
                    .singleElement()
                    .satisfies(debit -> assertThat(recovered.debitReference()).isEqualTo(debit.reference()));
        });
    }

    @ParameterizedTest
    @CsvSource({"19.90, EUR", "10000, JPY", "99999999999999.999, KWD"})
    void aChargeThatIsRaisedThriceIsDebitedOnceDigitForDigit(String amount, String currency) throws Exception {
        String chargeId = Events.newChargeId();
        for (int i = 0; i < 3; i++) {
            assertThat(post(chargeId, amount, currency)).isEqualTo(201);
        }

        assertThat(settled(chargeId).state()).isEqualTo(ChargeState.RECOVERED);
        assertThat(SERVICES.bank().debits(chargeId))
                .singleElement()
                .returns(amount, Debit::amount)
                .returns(currency, Debit::currency);
    }

    @Test
    void aChargeThatTheBankRefusesIsFailedAndSaysWhy() throws Exception {
        String chargeId = Events.newChargeId();
        SERVICES.bank().fault(chargeId, Fault.reject("INSUFFICIENT_FUNDS"));

        post(chargeId);

        assertThat(settled(chargeId).settlement())
                .isInstanceOfSatisfying(
                        Settlement.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo("INSUFFICIENT_FUNDS"));
    }

    /** As after a crash between the event and the record of its claim: the same event comes again and again. */
    @Test
    void anOutcomeThatRepeatsIsAppliedOnce() throws Exception {
        String chargeId = Events.newChargeId();
        SERVICES.bank().fault(chargeId, Fault.reject("INSUFFICIENT_FUNDS"));
        post(chargeId);
        settled(chargeId);
        untilApplied();
        long before = received();
        String again = new ChargeOutcomeJson()
                .write(ChargeFailed.of(chargeId, 1, "ACCOUNT_CLOSED", "the same event, other words", Instant.now()));

        outcomes.send(again);
        outcomes.send(again);
        untilApplied();

        assertThat(received()).isEqualTo(before);
        assertThat(billed(chargeId).settlement())
                .isInstanceOfSatisfying(
                        Settlement.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo("INSUFFICIENT_FUNDS"));
    }

    /** An operator reopens the claim, the message is sent again, and the charge is recovered after all. */
    @Test
    void aFailedChargeThatIsReopenedEndsRecovered() throws Exception {
        String chargeId = Events.newChargeId();
        SERVICES.bank().fault(chargeId, Fault.reject("INSUFFICIENT_FUNDS").times(1));
        post(chargeId);
        settled(chargeId);

        once.bean(Claims.class).reopen(new ChargeId(chargeId).claimKey(), "an operator", "funds have come");
        Queue.named(SERVICES.sqs(), resources.queue()).send(Events.chargeDue(chargeId));

        await().atMost(LONGEST).until(() -> billed(chargeId).state() == ChargeState.RECOVERED);
        assertThat(SERVICES.bank().debits(chargeId)).hasSize(1);
    }

    @Test
    void anOutcomeThatIsNoneStaysOnItsQueueAndDelaysNoOther() throws Exception {
        outcomes.send("no outcome at all");
        List<String> chargeIds = List.of(Events.newChargeId(), Events.newChargeId());
        for (String chargeId : chargeIds) {
            post(chargeId);
        }

        assertThat(chargeIds)
                .allSatisfy(chargeId -> assertThat(settled(chargeId).state()).isEqualTo(ChargeState.RECOVERED));
        assertThat(outcomes.size()).isPositive();
        SERVICES.sqs().purgeQueue(request -> request.queueUrl(outcomes.url()));
    }
}
