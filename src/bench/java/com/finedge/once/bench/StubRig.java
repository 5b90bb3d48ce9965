package com.finedge.once.bench;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The stub for everything: sees each call and each message. */
final class StubRig implements Rig {

    private static final String QUEUE = "charges";
    private static final String DEAD_LETTERS = "charges-dlq";

    private final StubServer stub;

    StubRig(Latencies latencies) {
        stub = StubServer.start(latencies);
        stub.createQueue(QUEUE);
        stub.createQueue(DEAD_LETTERS);
    }

    @Override
    public Peer.Endpoints endpoints() {
        URI uri = stub.uri();
        return new Peer.Endpoints(uri, uri, uri, QUEUE, DEAD_LETTERS, "once-claims");
    }

    @Override
    public void load(Workload workload) {
        send(workload.bodies());
    }

    void send(List<String> bodies) {
        stub.send(QUEUE, bodies);
    }

    /** Lets the bank take so long over one charge. */
    void slowDebit(String chargeId, Duration latency) {
        stub.slowDebit(chargeId, latency);
    }

    /** When the first debit of each charge reached the bank, by {@link System#nanoTime()}. */
    Map<String, Long> debitRequests() {
        return stub.debitRequests();
    }

    List<StubSqs.Deletion> deletions() {
        return stub.deletions(QUEUE);
    }

    @Override
    public CompletableFuture<StubServer.Snapshot> at(int messages) {
        return stub.atDelete(QUEUE, messages);
    }

    @Override
    public int done() {
        return stub.deleted(QUEUE);
    }

    @Override
    public int depth() {
        return stub.depth(QUEUE);
    }

    @Override
    public int deadLetters() {
        return stub.depth(DEAD_LETTERS);
    }

    @Override
    public Optional<List<StubSqs.Deletion>> deletions(StubServer.Snapshot from, StubServer.Snapshot to) {
        return Optional.of(deletions().stream()
                .filter(deletion -> deletion.nanos() > from.nanos() && deletion.nanos() <= to.nanos())
                .toList());
    }

    @Override
    public StubBank.Totals ledger() {
        return stub.ledger();
    }

    @Override
    public List<String> problems() {
        return stub.problems();
    }

    @Override
    public void close() {
        stub.close();
    }
}
