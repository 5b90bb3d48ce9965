package com.finedge.once.charge;

import com.finedge.once.charge.DebitResult.Debited;
import com.finedge.once.claim.Claim;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeRecovered;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** The ends of charges as the contract has them; what a bank says in another form than the contract's isn't passed on. */
final class Outcomes {

    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");
    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");
    private static final int LONGEST_REASON = 256;

    private Outcomes() {}

    static ChargeRecovered recovered(Charge charge, String outcome, Debited debited, Instant at) {
        return ChargeRecovered.of(
                charge.id().value(),
                ChargeRecovered.Outcome.valueOf(outcome),
                charge.amount().digits(),
                charge.amount().currency().getCurrencyCode(),
                Optional.ofNullable(debited.reference())
                        .filter(reference -> REFERENCE.matcher(reference).matches()),
                at);
    }

    static ChargeFailed failed(Claim claim, String code, String reason, Instant at) {
        return ChargeFailed.of(
                claim.key().key(),
                claim.fence(),
                CODE.matcher(code).matches() ? code : "REJECTED",
                printable(reason),
                at);
    }

    private static String printable(String reason) {
        String text = UNPRINTABLE.matcher(reason).replaceAll("?").strip();
        return text.isEmpty()
                ? "?"
                : text.substring(0, Math.min(text.length(), LONGEST_REASON)).strip();
    }
}
