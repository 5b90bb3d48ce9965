package com.finedge.once.bench;

import com.finedge.once.dev.ServiceStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Measures what a message costs and what becomes of it; {@code --help} says how. */
public final class Bench {

    private final Options options;
    private final List<String> broken = new ArrayList<>();

    private Bench(Options options) {
        this.options = options;
    }

    public static void main(String[] args) throws InterruptedException {
        if (List.of(args).contains("--help")) {
            System.out.print(Options.HELP);
            return;
        }
        Bench bench;
        try {
            bench = new Bench(Options.of(Peer.all(), args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "; --help shows what there is");
            System.exit(2);
            return;
        }
        List<String> broken = bench.measure();
        System.out.println(broken.isEmpty() ? "bench: PASS" : "bench: FAIL " + String.join("; ", broken));
        // The emulators leave threads of their own behind.
        System.exit(broken.isEmpty() ? 0 : 1);
    }

    private List<String> measure() throws InterruptedException {
        return switch (options.part()) {
            case ALL -> run();
            case OUTBOX -> OutboxBench.measure();
            case SAGAS -> SagaBench.measure();
            case START -> StartBench.measure();
        };
    }

    private List<String> run() throws InterruptedException {
        System.out.printf(
                "%d messages measured after %d, %d %% repeat a charge; consumers have %s of heap%n",
                options.messages(), options.warmup(), options.duplicates(), options.heap());
        Map<String, List<Figures>> results = new TreeMap<>();
        Map<Mode, Comparison> comparisons = new EnumMap<>(Mode.class);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Mode mode : options.modes()) {
                Map<String, Figures> byPeer = new HashMap<>();
                for (Peer peer : taking(mode, round)) {
                    String name = peer.name() + ", " + mode;
                    System.out.printf("%n%s, round %d of %d%n", name, round, options.rounds());
                    measure(mode, peer, round).ifPresent(figures -> {
                        results.computeIfAbsent(name, ignored -> new ArrayList<>())
                                .add(figures);
                        byPeer.put(peer.name(), figures);
                    });
                }
                comparisons.computeIfAbsent(mode, ignored -> new Comparison()).add(byPeer);
            }
        }
        System.out.println();
        System.out.println(Table.HEAD);
        results.forEach((name, figures) -> System.out.println(Table.row(name, median(figures))));
        System.out.println(Table.NOTES);
        System.out.println();
        comparisons.forEach(
                (mode, comparison) -> comparison.lines().forEach(line -> System.out.println(mode + ": " + line)));
        // The demands are about a consumer that waits for its services, as every real one does.
        if (comparisons.containsKey(Mode.CLOUD)) {
            broken.addAll(comparisons.get(Mode.CLOUD).broken());
        }
        if (!options.quick()) {
            checkBystanders();
            broken.addAll(OutboxBench.measure());
            broken.addAll(SagaBench.measure());
        }
        return broken;
    }

    /** In their turn. The emulators are no measure: there Once is checked, and once. */
    private List<Peer> taking(Mode mode, int round) {
        if (mode == Mode.EMULATORS) {
            return round > 1
                    ? List.of()
                    : options.peers().stream().filter(Peer::isOnce).toList();
        }
        List<Peer> peers = new ArrayList<>(options.peers());
        Collections.rotate(peers, round - 1);
        return peers;
    }

    private void checkBystanders() throws InterruptedException {
        try {
            new Bystanders(options)
                    .check(Peer.once(), options.logs().resolve("once-beside-a-slow-charge.log"))
                    .ifPresent(broken::add);
        } catch (IllegalStateException | IOException e) {
            System.out.println("  " + e.getMessage());
            broken.add("beside a slow charge: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private Optional<Figures> measure(Mode mode, Peer peer, int round) throws InterruptedException {
        Path log = options.logs().resolve(peer.name() + "-" + mode + "-" + round + ".log");
        try (Rig rig = mode.rig()) {
            Options shared = options.sharedBy(peer);
            Figures figures = new Run(rig, peer, shared, peer.isOnce() && round == 1)
                    .measure(log, done -> System.out.printf("  %,d of %,d messages%n", done, shared.total()));
            System.out.println(Table.HEAD);
            System.out.println(Table.row(peer.name() + ", " + mode, figures));
            System.out.print(Table.details(figures));
            if (!figures.valid()) {
                System.out.printf(
                        "  invalid: other processes took %.2f cores meanwhile%n",
                        figures.othersCores().orElse(0.0));
            }
            figures.broken().forEach(what -> fails(peer, mode, what));
            return Optional.of(figures);
        } catch (IllegalStateException | ServiceStartException | IOException e) {
            fails(peer, mode, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Only Once is judged: its peers are there to be compared with. */
    private void fails(Peer peer, Mode mode, String what) {
        System.out.println("  " + what);
        if (peer.isOnce()) {
            broken.add(mode + ": " + what.lines().findFirst().orElse(""));
        }
    }

    private static Figures median(List<Figures> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Figures::messagesPerSecond))
                .toList()
                .get(rounds.size() / 2);
    }
}
