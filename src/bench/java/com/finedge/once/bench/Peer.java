package com.finedge.once.bench;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A consumer to measure: a main class that runs in a JVM of its own.
 *
 * @param name one word, as {@code --peers} names it
 * @param args its arguments, given where the services are
 */
record Peer(String name, String mainClass, Function<Endpoints, List<String>> args) {

    /** Where the services are, and what the queue, its dead-letter queue and the table are called. */
    record Endpoints(URI sqs, URI dynamodb, URI bank, String queue, String deadLetterQueue, String table) {}

    /** Once as it is delivered: nothing but addresses is set. */
    static Peer once() {
        return new Peer(
                "once",
                "com.finedge.once.OnceApplication",
                endpoints -> List.of(
                        "--once.roles=charge-recovery",
                        "--once.aws.region=eu-west-1",
                        "--once.aws.sqs-endpoint=" + endpoints.sqs(),
                        "--once.aws.dynamodb-endpoint=" + endpoints.dynamodb(),
                        "--once.claims.table=" + endpoints.table(),
                        "--once.charges.queue=" + endpoints.queue(),
                        "--once.charges.dead-letter-queue=" + endpoints.deadLetterQueue(),
                        "--once.core-banking.url=" + endpoints.bank(),
                        "--once.notifications.url=" + endpoints.bank(),
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=0"));
    }

    /** This process's own; for what is delivered without the test classes, whose logging and beans aren't its own. */
    String classPath() {
        String all = System.getProperty("java.class.path");
        if (mainClass.startsWith(Peer.class.getPackageName())) {
            return all;
        }
        return Arrays.stream(all.split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
