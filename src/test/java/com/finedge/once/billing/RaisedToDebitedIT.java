package com.finedge.once.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.dev.Debit;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.Events;
import com.finedge.once.support.RunningOnce;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From the request to the bank's ledger, with both roles in one process. */
class RaisedToDebitedIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    private record Fee(String chargeId, String amount, String currency) {

        String request() {
            return """
                    {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"%s","currency":"%s",\
                    "dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId, amount, currency);
        }
    }

    @Test
    void aChargeThatIsRaisedThriceIsDebitedOnceDigitForDigit() throws Exception {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(SERVICES.postgres().fresh().properties());
        settings.put("once.roles", "billing,charge-recovery");
        List<Fee> fees = List.of(
                new Fee(Events.newChargeId(), "19.90", "EUR"),
                new Fee(Events.newChargeId(), "10000", "JPY"),
                new Fee(Events.newChargeId(), "99999999999999.999", "KWD"));

        try (RunningOnce once = RunningOnce.start(settings);
                HttpClient http = HttpClient.newHttpClient()) {
            for (Fee fee : fees) {
                for (int i = 0; i < 3; i++) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(once.url() + "/charges"))
                            .header("Content-Type", "application/json")
                            .header("Idempotency-Key", "\"key of " + fee.chargeId() + "\"")
                            .POST(BodyPublishers.ofString(fee.request()))
                            .build();
                    assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
                            .isEqualTo(201);
                }
            }

            Claims claims = once.bean(Claims.class);
            for (Fee fee : fees) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> claims.find(new ClaimKey("charge-recovery", fee.chargeId()))
                                .map(ClaimRecord::state)
                                .filter(ClaimState.DONE::equals)
                                .isPresent());
                assertThat(SERVICES.bank().debits(fee.chargeId()))
                        .singleElement()
                        .returns(fee.amount(), Debit::amount)
                        .returns(fee.currency(), Debit::currency)
                        .returns("ACC-42", Debit::accountId);
            }
        }
    }
}
