package com.finedge.once.claim;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The right to perform one effect until the lease ends, as granted to one owner.
 *
 * <p>A lease is no mutual exclusion: an owner that was paused may still be at work when its successor starts. What a
 * claim promises is that only the present owner can record anything. A claim that is known to be lost says so, and
 * interrupts the thread that asked for it, unless that is in the middle of the effect ({@link #unlessLost}).
 */
public final class Claim {

    private final ClaimKey key;
    private final Fingerprint fingerprint;
    private final String owner;
    private final long fence;
    private final long attempt;
    private final Instant leaseUntil;

    private @Nullable Thread worker;
    private boolean inEffect;
    private boolean ending;
    private boolean lost;

    /**
     * A grant, as a store makes it.
     *
     * @param key what was claimed
     * @param fingerprint the content it was claimed for
     * @param owner who holds it: made anew for every claim, never reused by a restarted process
     * @param fence grows by one with every grant of this key, from 1
     * @param attempt which run of the effect this is, from 1: counts grants since the claim was made or last reopened
     * @param leaseUntil when others may take over, unless it is renewed
     */
    public Claim(ClaimKey key, Fingerprint fingerprint, String owner, long fence, long attempt, Instant leaseUntil) {
        this.key = key;
        this.fingerprint = fingerprint;
        this.owner = owner;
        this.fence = fence;
        this.attempt = attempt;
        this.leaseUntil = leaseUntil;
    }

    /** What was claimed. */
    public ClaimKey key() {
        return key;
    }

    /** The content it was claimed for. */
    public Fingerprint fingerprint() {
        return fingerprint;
    }

    /** Who holds it. */
    public String owner() {
        return owner;
    }

    /** How many grants of this key there were, this one included. */
    public long fence() {
        return fence;
    }

    /** Which run of the effect this is, from 1. */
    public long attempt() {
        return attempt;
    }

    /** The end of the lease as it was granted; renewals move it on. */
    public Instant leaseUntil() {
        return leaseUntil;
    }

    /** Whether the claim is known to be somebody else's by now. False is no promise. */
    public synchronized boolean isLost() {
        return lost;
    }

    /**
     * Performs the effect, unless the claim is known to be lost. From then on a loss interrupts nobody: an effect that
     * is broken off half-way has an unknown end, which is worse than one that its successor will find done.
     *
     * @return nothing if the claim was lost before
     */
    public <T> Optional<T> unlessLost(Supplier<T> effect) {
        synchronized (this) {
            if (lost) {
                return Optional.empty();
            }
            inEffect = true;
        }
        try {
            return Optional.of(effect.get());
        } finally {
            synchronized (this) {
                inEffect = false;
            }
        }
    }

    synchronized void workedOnBy(Thread thread) {
        worker = thread;
    }

    /** The owner is recording its end: what a renewal meets from now on is no loss. */
    synchronized void ending(boolean now) {
        ending = now;
    }

    synchronized boolean isEnding() {
        return ending;
    }

    synchronized void lose() {
        lost = true;
        if (worker != null && !inEffect && !ending) {
            worker.interrupt();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Claim that
                && key.equals(that.key)
                && fingerprint.equals(that.fingerprint)
                && owner.equals(that.owner)
                && fence == that.fence
                && attempt == that.attempt
                && leaseUntil.equals(that.leaseUntil);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, owner, fence);
    }

    @Override
    public String toString() {
        return key + " held by " + owner + " (fence " + fence + ", attempt " + attempt + ")";
    }
}
