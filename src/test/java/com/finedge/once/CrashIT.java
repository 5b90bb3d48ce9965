package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.Events;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process killed between every two steps: another takes over, and the bank's ledger has one debit. */
class CrashIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    @ParameterizedTest(name = "killed after {0}, visibility {1}: {2} attempts, claims in {3}")
    @CsvSource({
        // Both shorter and longer than the lease of 4 s.
        "claim-charge, 2s, 2, dynamodb",
        "claim-charge, 8s, 2, dynamodb",
        "debit-account, 8s, 2, dynamodb",
        "debit-account, 8s, 2, jdbc",
        "notify-customer, 8s, 2, dynamodb",
        // markDone is in complete-charge, the delete behind it.
        "complete-charge, 8s, 1, dynamodb",
        "delete, 8s, 1, dynamodb"
    })
    void anotherProcessTakesOver(String step, String visibility, int attempts, String store) {
        LocalResources resources = SERVICES.fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.put("once.claims.lease", "4s");
        settings.put("once.claims.max-hold", "30s");
        settings.put("once.aws.call-timeout", "3s");
        settings.put("once.core-banking.read-timeout", "1s");
        settings.put("once.claims.statement-timeout", "2s");
        settings.put("once.charges.visibility", visibility);
        settings.put("once.claims.store", store);
        if (store.equals("jdbc")) {
            settings.putAll(SERVICES.postgres().fresh().properties());
            settings.put("once.aws.dynamodb-endpoint", "http://127.0.0.1:1");
        }
        Queue charges = Queue.named(SERVICES.sqs(), resources.queue());
        String chargeId = Events.newChargeId();
        charges.send(Events.chargeDue(chargeId));

        Map<String, String> doomed = new HashMap<>(settings);
        doomed.put("once.test.stand-still-after", step);
        try (OnceProcess first = OnceProcess.start(doomed)) {
            first.awaitLine("standing still after " + step);
            first.kill();
        }
        try (RunningOnce second = RunningOnce.start(settings)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> charges.size() == 0);

            ClaimRecord claim = second.bean(Claims.class)
                    .find(new ChargeId(chargeId).claimKey())
                    .orElseThrow();
            assertThat(claim.state()).isEqualTo(ClaimState.DONE);
            assertThat(claim.attempts()).isEqualTo(attempts);
        }
        assertThat(SERVICES.bank().debits(chargeId)).hasSize(1);
        assertThat(SERVICES.bank().notifications(chargeId)).hasSize(1);
        assertThat(Queue.named(SERVICES.sqs(), resources.deadLetterQueue()).size())
                .isZero();
    }
}
