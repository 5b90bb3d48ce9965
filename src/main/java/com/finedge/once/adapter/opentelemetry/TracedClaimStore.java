package com.finedge.once.adapter.opentelemetry;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimWrite;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A span for each claim, and for its end. Renewals are on the heartbeat's threads, and would each be a trace of its own. */
final class TracedClaimStore implements ClaimStore {

    private final ClaimStore store;
    private final String system;
    private final Tracer tracer;

    TracedClaimStore(ClaimStore store, String system, Tracer tracer) {
        this.store = store;
        this.system = system;
        this.tracer = tracer;
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return traced(
                "claim", () -> store.claim(request), result -> result.outcome().name());
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        return traced("finish claim", () -> store.finish(claim, end), ClaimWrite::name);
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        return traced("release claim", () -> store.release(claim, now), ClaimWrite::name);
    }

    private <T> T traced(String name, Supplier<T> call, Function<T, String> outcome) {
        Span span = tracer.spanBuilder(name)
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(SpanAttributes.DB_SYSTEM, system)
                .startSpan();
        try {
            T result = call.get();
            span.setAttribute(SpanAttributes.CLAIM_OUTCOME, outcome.apply(result));
            return result;
        } catch (RuntimeException e) {
            SpanAttributes.failed(span, e.getClass().getName());
            throw e;
        } finally {
            span.end();
        }
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        return store.renew(claim, now, leaseUntil);
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        return store.reopen(key, detail, now);
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        return store.settle(seen, end);
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        return store.find(key);
    }
}
