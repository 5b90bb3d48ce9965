package com.finedge.once.bench;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A consumer to measure: a main class that runs in a JVM of its own.
 *
 * @param name one word, as {@code --peers} names it
 * @param share how much of the messages it is measured with, above 0 and at most 1: the slow ones would take hours
 * @param args its arguments, given where the services are
 */
record Peer(String name, String mainClass, double share, Function<Endpoints, List<String>> args) {

    static final String ONCE = "once";
    static final String SPRING_DEFAULT = "spring-default";
    static final String SPRING_64 = "spring-64";
    static final String SPRING_BEST = "spring-256-async";
    static final String HAND_WRITTEN = "hand-written";

    private static final int FEWEST_MESSAGES = 10;

    /** Where the services are, and what the queue, its dead-letter queue and the table are called. */
    record Endpoints(URI sqs, URI dynamodb, URI bank, String queue, String deadLetterQueue, String table) {

        /** How many arguments they are. */
        static final int COUNT = 6;

        List<String> toArgs() {
            return List.of(sqs.toString(), dynamodb.toString(), bank.toString(), queue, deadLetterQueue, table);
        }

        /** The reverse of {@link #toArgs}, for the main class of a peer. */
        static Endpoints of(String... args) {
            return new Endpoints(
                    URI.create(args[0]), URI.create(args[1]), URI.create(args[2]), args[3], args[4], args[5]);
        }
    }

    /** All there are, Once first. */
    static List<Peer> all() {
        return List.of(
                once(),
                new Peer("camel-default", CamelPeer.class.getName(), 0.002, Endpoints::toArgs),
                spring(SPRING_DEFAULT, 0.1, "default"),
                spring(SPRING_64, 0.5, "64"),
                spring(SPRING_BEST, 1, "256", "async"),
                new Peer(HAND_WRITTEN, HandWrittenPeer.class.getName(), 1, Endpoints::toArgs));
    }

    /** Once as it is delivered: nothing but addresses is set. */
    static Peer once() {
        return new Peer(
                ONCE,
                "com.finedge.once.OnceApplication",
                1,
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

    private static Peer spring(String name, double share, String... settings) {
        return new Peer(
                name,
                SpringPeer.class.getName(),
                share,
                endpoints -> Stream.concat(endpoints.toArgs().stream(), Arrays.stream(settings))
                        .toList());
    }

    boolean isOnce() {
        return name.equals(ONCE);
    }

    /** Its part of so many messages. */
    int shareOf(int messages) {
        return Math.min(messages, Math.max(FEWEST_MESSAGES, (int) Math.round(messages * share)));
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
