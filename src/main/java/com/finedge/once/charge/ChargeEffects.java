package com.finedge.once.charge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.audit.Operator;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.deadletter.Effects;
import com.finedge.once.deadletter.Evidence;
import com.finedge.once.deadletter.FailureKind;
import com.finedge.once.deadletter.Reading;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** The debits that dead letters asked for. */
public final class ChargeEffects implements Effects {

    private final ChargeRecoveryService service;
    private final AccountDebitPort bank;
    private final Function<String, ChargeDueEvent> reader;
    private final Function<ChargeDueEvent, String> writer;
    private final Set<String> types;

    /**
     * @param reader reads an event, and throws {@link InvalidMessageException} where a body is none
     * @param writer writes an event
     * @param types the charge types that are known here
     */
    public ChargeEffects(
            ChargeRecoveryService service,
            AccountDebitPort bank,
            Function<String, ChargeDueEvent> reader,
            Function<ChargeDueEvent, String> writer,
            Set<String> types) {
        this.service = service;
        this.bank = bank;
        this.reader = reader;
        this.writer = writer;
        this.types = Set.copyOf(types);
    }

    @Override
    public Reading read(String body) {
        try {
            Charge charge = charge(body);
            return new Reading.Valid(charge.id().claimKey(), charge.fingerprint());
        } catch (InvalidMessageException e) {
            return new Reading.Invalid(e.code().name(), String.valueOf(e.getMessage()));
        }
    }

    private Charge charge(String body) {
        return Charge.of(reader.apply(body), types);
    }

    @Override
    public FailureKind kind(ClaimRecord failed) {
        if (ChargeRecoveryService.OUTCOME_UNKNOWN.equals(failed.outcome())) {
            return FailureKind.UNCERTAIN;
        }
        return ChargeRecoveryService.TECHNICAL.equals(failed.detail().get(ChargeRecoveryService.FAILURE))
                ? FailureKind.TECHNICAL
                : FailureKind.DECIDED;
    }

    @Override
    public Evidence ask(ClaimKey key) {
        if (!key.scope().equals(ChargeId.SCOPE)) {
            return new Evidence.NotAsked();
        }
        return switch (bank.find(new ChargeId(key.key()))) {
            case DebitSearch.Found(String reference) -> new Evidence.Happened(reference);
            case DebitSearch.NotFound notFound -> new Evidence.NotHappened();
            case DebitSearch.NoAnswer(String reason) -> new Evidence.Unsure(reason);
        };
    }

    @Override
    public boolean settle(String body, ClaimRecord seen, Evidence.Happened happened, Operator by) {
        return service.settle(seen, charge(body), new DebitResult.Debited(happened.reference()), by);
    }

    @Override
    public String renewed(String letterId, String corrected) {
        ChargeDueEvent event = reader.apply(corrected);
        return writer.apply(new ChargeDueEvent(
                event.schemaVersion(),
                UUID.nameUUIDFromBytes(("corrected:" + letterId).getBytes(UTF_8))
                        .toString(),
                event.chargeId(),
                event.accountId(),
                event.chargeType(),
                event.amount(),
                event.currency(),
                event.dueAt(),
                event.occurredAt()));
    }
}
