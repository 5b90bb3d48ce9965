package com.finedge.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Once beside its peers: ratios within a round, for what slows one down mostly slows its neighbours down too, and of
 * those the median.
 */
final class Comparison {

    private static final List<Demand> DEMANDS = List.of(
            Demand.atLeast(Peer.SPRING_DEFAULT, 8, 8),
            Demand.atLeast(Peer.SPRING_64, 1.7, 1.7),
            Demand.atLeast(Peer.SPRING_BEST, 1, 1.5),
            Demand.atLeast(Peer.HAND_WRITTEN, 0.8, 0.95),
            new Demand("CPU a message", Peer.HAND_WRITTEN, Figures::processorMicrosPerMessage, false, 1.25, 1.25));

    private final List<Map<String, Figures>> rounds = new ArrayList<>();

    /** @param byPeer the figures of one round, by the peers' names; a peer that failed is absent */
    void add(Map<String, Figures> byPeer) {
        rounds.add(Map.copyOf(byPeer));
    }

    /** One line for each demand whose peer was measured. */
    List<String> lines() {
        return DEMANDS.stream()
                .flatMap(demand -> demand.line(demand.ratios(rounds)).stream())
                .toList();
    }

    /** The demands that weren't met. */
    List<String> broken() {
        return DEMANDS.stream()
                .flatMap(demand -> demand.broken(demand.ratios(rounds)).stream())
                .toList();
    }

    /**
     * What Once must reach beside one peer.
     *
     * @param more whether more is better
     * @param limit the ratio that must be kept
     * @param aim the ratio that is wanted
     */
    private record Demand(
            String what, String peer, ToDoubleFunction<Figures> figure, boolean more, double limit, double aim) {

        static Demand atLeast(String peer, double limit, double aim) {
            return new Demand("msg/s", peer, Figures::messagesPerSecond, true, limit, aim);
        }

        List<Double> ratios(List<Map<String, Figures>> rounds) {
            return rounds.stream()
                    .filter(round -> round.containsKey(Peer.ONCE) && round.containsKey(peer))
                    .map(round -> figure.applyAsDouble(round.get(Peer.ONCE)) / figure.applyAsDouble(round.get(peer)))
                    .toList();
        }

        Optional<String> line(List<Double> ratios) {
            return median(ratios).map(median -> {
                String all = ratios.stream().map(Demand::number).collect(Collectors.joining(" "));
                return String.format(
                        Locale.ROOT,
                        "%-13s once / %-17s %5s  (%s; at %s %s%s)%s",
                        what,
                        peer,
                        number(median),
                        all,
                        more ? "least" : "most",
                        number(limit),
                        aim == limit ? "" : ", the aim is " + number(aim),
                        met(median) ? "" : "  NOT MET");
            });
        }

        Optional<String> broken(List<Double> ratios) {
            return median(ratios)
                    .filter(median -> !met(median))
                    .map(median -> String.format(
                            Locale.ROOT,
                            "%s %s times that of %s, %s %s",
                            what,
                            number(median),
                            peer,
                            number(limit),
                            more ? "at least" : "at most"));
        }

        /** As it is printed, so that nobody reads 0.80 and sees it refused for 0.799. */
        private boolean met(double ratio) {
            double printed = Math.round(ratio * 100) / 100.0;
            return more ? printed >= limit : printed <= limit;
        }

        private static Optional<Double> median(List<Double> ratios) {
            return ratios.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ratios.stream().sorted().toList().get(ratios.size() / 2));
        }

        private static String number(double ratio) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }
    }
}
