package com.finedge.once.claim;

import java.util.Optional;

/** Reads the answer to a refused claim from the record that stood in its way, the same for every store. */
public final class Refusal {

    private Refusal() {}

    /**
     * What the record says to the request.
     *
     * @return the answer, or nothing if the record would not have refused it: it has changed meanwhile, so ask again
     *     and never guess
     */
    public static Optional<ClaimResult> of(ClaimRecord existing, ClaimRequest request) {
        if (!existing.fingerprint().equals(request.fingerprint())) {
            return Optional.of(new ClaimResult.Conflict(existing));
        }
        return switch (existing.state()) {
            case DONE -> Optional.of(new ClaimResult.Done(existing));
            case FAILED -> Optional.of(new ClaimResult.Failed(existing));
            case IN_PROGRESS -> inProgress(existing, request);
        };
    }

    private static Optional<ClaimResult> inProgress(ClaimRecord existing, ClaimRequest request) {
        if (request.owner().equals(existing.owner())) {
            // The transport tried again after our own write had gone through.
            Claim ours = new Claim(
                    existing.key(),
                    existing.fingerprint(),
                    request.owner(),
                    existing.fence(),
                    existing.attempts(),
                    existing.leaseUntil());
            return Optional.of(new ClaimResult.Acquired(ours, null));
        }
        return existing.leaseUntil().isBefore(request.now())
                ? Optional.empty()
                : Optional.of(new ClaimResult.InProgress(existing));
    }
}
