package com.finedge.once.claim;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps claims in this process only: for tests of your routes. Passes the same contract as the real stores. */
public final class InMemoryClaimStore implements ClaimStore {

    private final ConcurrentMap<ClaimKey, ClaimRecord> records = new ConcurrentHashMap<>();

    /** The last owner that gave a claim back, until the next grant. */
    private final ConcurrentMap<ClaimKey, String> releasedBy = new ConcurrentHashMap<>();

    @Override
    public ClaimResult claim(ClaimRequest request) {
        AtomicReference<@Nullable ClaimResult> result = new AtomicReference<>();
        records.compute(request.key(), (key, existing) -> {
            Optional<ClaimResult> refusal = existing == null ? Optional.empty() : Refusal.of(existing, request);
            if (refusal.isPresent()) {
                result.set(refusal.get());
                return existing;
            }
            releasedBy.remove(key);
            ClaimRecord granted = granted(existing, request);
            Claim claim = new Claim(
                    key,
                    request.fingerprint(),
                    request.owner(),
                    granted.fence(),
                    granted.attempts(),
                    request.leaseUntil());
            result.set(new ClaimResult.Acquired(claim, existing == null ? null : existing.owner()));
            return granted;
        });
        ClaimResult answer = result.get();
        if (answer == null) {
            throw new IllegalStateException("a claim is always answered");
        }
        return answer;
    }

    private static ClaimRecord granted(@Nullable ClaimRecord existing, ClaimRequest request) {
        return new ClaimRecord(
                request.key(),
                ClaimState.IN_PROGRESS,
                request.owner(),
                existing == null ? 1 : existing.fence() + 1,
                existing == null ? 0 : existing.reopenedAtFence(),
                request.leaseUntil(),
                request.fingerprint(),
                null,
                existing == null ? Map.of() : existing.detail(),
                existing == null ? request.now() : existing.createdAt(),
                request.now(),
                null);
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        ClaimRecord after = records.computeIfPresent(
                claim.key(), (key, existing) -> holds(existing, claim) ? ended(existing, end) : existing);
        return after != null && after.state() == end.state() && claim.owner().equals(after.owner())
                ? ClaimWrite.WRITTEN
                : ClaimWrite.LEASE_LOST;
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        return replace(claim, existing -> leased(existing, existing.owner(), leaseUntil, now));
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        ClaimWrite write = replace(claim, existing -> {
            releasedBy.put(claim.key(), claim.owner());
            return leased(existing, null, Instant.EPOCH, now);
        });
        return claim.owner().equals(releasedBy.get(claim.key())) ? ClaimWrite.WRITTEN : write;
    }

    private ClaimWrite replace(Claim claim, UnaryOperator<ClaimRecord> change) {
        AtomicReference<ClaimWrite> write = new AtomicReference<>(ClaimWrite.LEASE_LOST);
        records.computeIfPresent(claim.key(), (key, existing) -> {
            if (!holds(existing, claim)) {
                return existing;
            }
            write.set(ClaimWrite.WRITTEN);
            return change.apply(existing);
        });
        return write.get();
    }

    private static boolean holds(ClaimRecord existing, Claim claim) {
        return existing.state() == ClaimState.IN_PROGRESS && claim.owner().equals(existing.owner());
    }

    private static ClaimRecord ended(ClaimRecord existing, ClaimEnd end) {
        return new ClaimRecord(
                existing.key(),
                end.state(),
                existing.owner(),
                existing.fence(),
                existing.reopenedAtFence(),
                existing.leaseUntil(),
                existing.fingerprint(),
                end.outcome(),
                plus(existing.detail(), end.detail()),
                existing.createdAt(),
                end.at(),
                end.expiresAt());
    }

    private static ClaimRecord leased(ClaimRecord existing, @Nullable String owner, Instant leaseUntil, Instant now) {
        return new ClaimRecord(
                existing.key(),
                ClaimState.IN_PROGRESS,
                owner,
                existing.fence(),
                existing.reopenedAtFence(),
                leaseUntil,
                existing.fingerprint(),
                null,
                existing.detail(),
                existing.createdAt(),
                now,
                null);
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        AtomicReference<Boolean> reopened = new AtomicReference<>(false);
        records.computeIfPresent(key, (k, existing) -> {
            if (existing.state() != ClaimState.FAILED) {
                return existing;
            }
            reopened.set(true);
            return new ClaimRecord(
                    key,
                    ClaimState.IN_PROGRESS,
                    null,
                    existing.fence(),
                    existing.fence(),
                    Instant.EPOCH,
                    existing.fingerprint(),
                    null,
                    plus(existing.detail(), detail),
                    existing.createdAt(),
                    now,
                    null);
        });
        return reopened.get();
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        ClaimRecord after = records.computeIfPresent(
                seen.key(),
                (key, existing) -> existing.state() == ClaimState.FAILED && existing.fence() == seen.fence()
                        ? ended(existing, end)
                        : existing);
        return after != null && after.state() == ClaimState.DONE && after.fence() == seen.fence();
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        return Optional.ofNullable(records.get(key));
    }

    private static Map<String, String> plus(Map<String, String> detail, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(detail);
        all.putAll(more);
        return all;
    }
}
