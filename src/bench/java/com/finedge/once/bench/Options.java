package com.finedge.once.bench;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * What to measure.
 *
 * @param warmup messages done before the measuring begins
 * @param messages messages measured
 * @param duplicates percent of the messages that repeat a charge
 * @param part what alone is of interest, if not all
 * @param quick whether only what a message costs Once is of interest
 */
record Options(
        List<Mode> modes,
        List<Peer> peers,
        int warmup,
        int messages,
        int duplicates,
        int rounds,
        String heap,
        List<String> javaOptions,
        Path logs,
        Part part,
        boolean quick) {

    /** What can be measured alone, by the option of its name. */
    enum Part {
        ALL,
        OUTBOX,
        SAGAS,
        START;

        private static Part of(ApplicationArguments given) {
            return Stream.of(values())
                    .filter(part -> given.containsOption(part.name().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElse(ALL);
        }
    }

    static final String HELP = """
            Usage: bench [--option=value ...]

              --quick                      Once alone, one round, without the charge that takes 5 s
              --outbox                     the outbox alone, in a minute
              --sagas                      sagas alone, in a minute
              --start                      how long a start takes, and what it holds then, with and without
                                           the AOT cache, in four minutes; of the jar in target/
              --modes=cloud,emulators      what to measure against
                                cloud      a stub with SQS 8 ms, DynamoDB 4 ms, bank 50 ms, notification 5 ms
                                cpu        the same stub without delays: what the processor allows;
                                           says little with a short warm-up
                                emulators  ElasticMQ and dynalite: correctness, and their own speed
              --peers=once,...             whom to measure; all unless quick: once, camel-default,
                                           spring-default, spring-64, spring-256-async, hand-written
              --warmup=30000               messages before the measuring begins (W), 5000 if quick;
                                           from 20000 on the figures are fit to be published
              --messages=15000             messages measured (N), 5000 if quick
              --duplicates=10              percent of the messages that repeat a charge
              --rounds=3                   rounds; peers take turns, the median is printed; 1 if quick
              --heap=512m                  largest heap of a consumer
              --java-options=              more options of the consumers' JVMs, divided by blanks
              --logs=target/bench          where the consumers' output goes
              --help                       this text

            Ends with "bench: PASS" and 0, or with "bench: FAIL <what>" and 1.
            """;

    private static final Set<String> NAMES = Set.of(
            "quick",
            "modes",
            "peers",
            "warmup",
            "messages",
            "duplicates",
            "rounds",
            "heap",
            "java-options",
            "logs",
            "outbox",
            "sagas",
            "start");

    Options {
        if (warmup < 2 || messages < 1 || rounds < 1 || duplicates < 0 || duplicates > 90) {
            throw new IllegalArgumentException(
                    "warmup is at least 2, messages and rounds 1, and duplicates 0 to 90 percent");
        }
    }

    /** @throws IllegalArgumentException with a message for the user */
    static Options of(List<Peer> known, String... args) {
        var given = new DefaultApplicationArguments(args);
        Set<String> unknown = new LinkedHashSet<>(given.getOptionNames());
        unknown.removeAll(NAMES);
        unknown.addAll(given.getNonOptionArgs());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown option or argument: " + String.join(", ", unknown));
        }
        boolean quick = given.containsOption("quick");
        List<String> everybody = known.stream().map(Peer::name).toList();
        return new Options(
                list(given, "modes", "cloud,emulators").stream().map(Mode::of).toList(),
                list(given, "peers", quick ? Peer.ONCE : String.join(",", everybody)).stream()
                        .map(name -> peer(known, name))
                        .toList(),
                number(given, "warmup", quick ? 5_000 : 30_000),
                number(given, "messages", quick ? 5_000 : 15_000),
                number(given, "duplicates", 10),
                number(given, "rounds", quick ? 1 : 3),
                text(given, "heap", "512m"),
                Stream.of(text(given, "java-options", "").split(" ", -1))
                        .filter(option -> !option.isEmpty())
                        .toList(),
                Path.of(text(given, "logs", "target/bench")),
                Part.of(given),
                quick);
    }

    /** All messages of a run: beyond the measured ones there are more, so that the queue never runs dry meanwhile. */
    int total() {
        return warmup + messages + Math.max(1_000, messages / 10);
    }

    /** The same with as many messages as a peer gets. */
    Options sharedBy(Peer peer) {
        return new Options(
                modes,
                peers,
                peer.shareOf(warmup),
                peer.shareOf(messages),
                duplicates,
                rounds,
                heap,
                javaOptions,
                logs,
                part,
                quick);
    }

    private static Peer peer(List<Peer> known, String name) {
        return known.stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown peer: " + name));
    }

    private static String text(ApplicationArguments given, String name, String otherwise) {
        List<String> values = given.getOptionValues(name);
        return values == null ? otherwise : String.join(",", values);
    }

    private static List<String> list(ApplicationArguments given, String name, String otherwise) {
        return List.of(text(given, name, otherwise).split(","));
    }

    private static int number(ApplicationArguments given, String name, int otherwise) {
        String value = text(given, name, String.valueOf(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " is a number, not " + value, e);
        }
    }
}
