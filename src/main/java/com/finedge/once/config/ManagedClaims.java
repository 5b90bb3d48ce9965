package com.finedge.once.config;

import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.camel.InFlightMessages;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.metrics.MeterNames;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.jmx.export.annotation.ManagedAttribute;
import org.springframework.jmx.export.annotation.ManagedOperation;
import org.springframework.jmx.export.annotation.ManagedOperationParameter;
import org.springframework.jmx.export.annotation.ManagedResource;

/**
 * The claims of this process as an MBean. It only tells: what changes a claim needs a reason and a name, which JMX doesn't
 * bring, and is done in the console. Counters begin with the process; no key, account or body is in an attribute.
 */
@ManagedResource(objectName = "com.finedge.once:type=Claims", description = "The claims of this process")
public final class ManagedClaims {

    private final Claims claims;
    private final ClaimsProperties properties;
    private final Heartbeat heartbeat;
    private final InFlightMessages inFlight;
    private final Circuits circuits;
    private final MeterRegistry meters;

    ManagedClaims(
            Claims claims,
            ClaimsProperties properties,
            Heartbeat heartbeat,
            InFlightMessages inFlight,
            Circuits circuits,
            MeterRegistry meters) {
        this.claims = claims;
        this.properties = properties;
        this.heartbeat = heartbeat;
        this.inFlight = inFlight;
        this.circuits = circuits;
        this.meters = meters;
    }

    @ManagedAttribute(description = "Where the claims are kept")
    public String getStore() {
        return properties.store().name();
    }

    @ManagedAttribute(description = "How long a claim is held without a renewal, in seconds")
    public long getLeaseSeconds() {
        return properties.lease().toSeconds();
    }

    @ManagedAttribute(description = "Messages that the heartbeat holds now")
    public int getHolding() {
        return heartbeat.holding();
    }

    @ManagedAttribute(description = "Whether the heartbeat is late, so that what is held may lapse")
    public boolean isHeartbeatLate() {
        return heartbeat.isLate();
    }

    @ManagedAttribute(description = "Messages that are worked on now")
    public int getInFlight() {
        return inFlight.working();
    }

    @ManagedAttribute(description = "Messages that could be started now")
    public int getInFlightFree() {
        return inFlight.free();
    }

    @ManagedAttribute(description = "Circuits and their states")
    public Map<String, String> getCircuits() {
        return circuits.all().stream()
                .collect(Collectors.toMap(
                        CircuitBreaker::getName, circuit -> circuit.getState().name()));
    }

    @ManagedAttribute(description = "Claims asked for, by what was answered: duplicates among them")
    public Map<String, Long> getAnswers() {
        return counts(MeterNames.CLAIMS, "outcome");
    }

    @ManagedAttribute(description = "Claims ended, by their state")
    public Map<String, Long> getEnds() {
        return counts(MeterNames.ENDED, "state");
    }

    @ManagedAttribute(description = "Claims given back for another attempt")
    public long getReleased() {
        return count(MeterNames.RELEASED);
    }

    @ManagedAttribute(description = "Claims taken over after their lease had lapsed")
    public long getTakenOver() {
        return count(MeterNames.TAKEOVERS);
    }

    @ManagedAttribute(description = "Writes refused because the lease was lost")
    public long getLeasesLost() {
        return count(MeterNames.LEASE_LOST);
    }

    /**
     * What is recorded of one claim, without its detail; empty if there is none.
     *
     * @throws IllegalArgumentException if that can't be a key
     */
    @ManagedOperation(description = "What is recorded of one claim: its state, attempts, owner and lease")
    @ManagedOperationParameter(name = "scope", description = "What is claimed, for instance charge-recovery")
    @ManagedOperationParameter(name = "key", description = "Of which one, for instance a charge's id")
    public Map<String, String> find(String scope, String key) {
        return claims.find(new ClaimKey(scope, key)).map(ManagedClaims::facts).orElseGet(Map::of);
    }

    private static Map<String, String> facts(ClaimRecord claim) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("state", claim.state().name());
        facts.put("attempts", String.valueOf(claim.attempts()));
        if (claim.owner() != null) {
            facts.put("owner", claim.owner());
        }
        facts.put("leaseUntil", claim.leaseUntil().toString());
        if (claim.outcome() != null) {
            facts.put("outcome", claim.outcome());
        }
        facts.put("createdAt", claim.createdAt().toString());
        facts.put("updatedAt", claim.updatedAt().toString());
        return facts;
    }

    private Map<String, Long> counts(String meter, String tag) {
        return meters.find(meter).counters().stream()
                .collect(Collectors.toMap(
                        counter -> String.valueOf(counter.getId().getTag(tag)),
                        counter -> (long) counter.count(),
                        Long::sum,
                        TreeMap::new));
    }

    private long count(String meter) {
        return (long) meters.find(meter).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
