package com.finedge.once.bench;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The services that a consumer is measured against, fresh for every run. */
interface Rig extends AutoCloseable {

    Peer.Endpoints endpoints();

    /** Puts the messages into the queue. */
    void load(Workload workload) throws InterruptedException;

    /** The state when so many messages are done. What depends on it runs at that moment. */
    CompletableFuture<StubServer.Snapshot> at(int messages);

    /** About how many messages are done. */
    int done();

    int depth();

    int deadLetters();

    /** The messages that went in the span between two states; empty where the rig can't see it. */
    Optional<List<StubSqs.Deletion>> deletions(StubServer.Snapshot from, StubServer.Snapshot to);

    StubBank.Totals ledger();

    /** What makes the figures worthless. */
    List<String> problems();

    @Override
    void close();
}
