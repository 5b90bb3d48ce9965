package com.finedge.once.bench;

import com.finedge.once.dev.ServiceStartException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures what a message costs and what becomes of it; {@code --help} says how. */
public final class Bench {

    private static final List<Peer> PEERS = List.of(Peer.once());

    private static final String JUDGED = "once";

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
            bench = new Bench(Options.of(PEERS, args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "; --help shows what there is");
            System.exit(2);
            return;
        }
        List<String> broken = bench.run();
        System.out.println(broken.isEmpty() ? "bench: PASS" : "bench: FAIL " + String.join("; ", broken));
        // The emulators leave threads of their own behind.
        System.exit(broken.isEmpty() ? 0 : 1);
    }

    private List<String> run() throws InterruptedException {
        System.out.printf(
                "%d messages measured after %d, %d %% repeat a charge; consumers have %s of heap%n",
                options.messages(), options.warmup(), options.duplicates(), options.heap());
        Map<String, List<Figures>> results = new LinkedHashMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Mode mode : options.modes()) {
                List<Peer> peers = new ArrayList<>(options.peers());
                Collections.rotate(peers, round - 1);
                for (Peer peer : peers) {
                    String name = peer.name() + ", " + mode;
                    System.out.printf("%n%s, round %d of %d%n", name, round, options.rounds());
                    measure(mode, peer, round)
                            .ifPresent(figures -> results.computeIfAbsent(name, ignored -> new ArrayList<>())
                                    .add(figures));
                }
            }
        }
        System.out.println();
        System.out.println(Table.HEAD);
        results.forEach((name, figures) -> System.out.println(Table.row(name, median(figures))));
        System.out.println(Table.NOTES);
        return broken;
    }

    private Optional<Figures> measure(Mode mode, Peer peer, int round) throws InterruptedException {
        Path log = options.logs().resolve(peer.name() + "-" + mode + "-" + round + ".log");
        try (Rig rig = mode.rig()) {
            Figures figures = new Run(rig, peer, options)
                    .measure(log, done -> System.out.printf("  %,d of %,d messages%n", done, options.total()));
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
        if (peer.name().equals(JUDGED)) {
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
