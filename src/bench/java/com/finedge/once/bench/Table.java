package com.finedge.once.bench;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Figures as lines of text. */
final class Table {

    static final String HEAD = String.format(
            "%-24s %7s %8s %9s %9s %7s %7s %11s %7s %10s",
            "", "msg/s", "SQS/msg", "DynDB/msg", "CPU us", "p50 ms", "p99 ms", "heap MiB", "double", "$/M charges");

    static final String NOTES = """
            CPU us: the consumer's processor time a message, JIT compilers left out. p50, p99: from receive to delete.
            heap: live after a full collection, in the warm-up and at the end. $/M charges: SQS and DynamoDB requests of
            a million charges at list prices. Against the emulators, calls and times would say more of them than of the consumer.""";

    private Table() {}

    static String row(String name, Figures figures) {
        boolean counted = figures.calls().isPresent();
        return String.format(
                Locale.ROOT,
                "%-24s %7s %8s %9s %9s %7s %7s %11s %7d %10s%s",
                name,
                rate(figures.messagesPerSecond()),
                number("%.2f", figures.sqsPerMessage()),
                number("%.2f", figures.dynamoPerMessage()),
                counted ? number("%.0f", Optional.of(figures.processorMicrosPerMessage())) : "-",
                number("%.0f", figures.latencyMillis(50)),
                number("%.0f", figures.latencyMillis(99)),
                mebibytes(figures.heapAtFirst()) + "->" + mebibytes(figures.heapAtLast()),
                figures.ledger().doubleDebits(),
                number("%.2f", figures.dollarsPerMillionCharges()),
                figures.valid() ? "" : "  invalid");
    }

    /** What the row is made of. */
    static String details(Figures figures) {
        if (figures.calls().isEmpty()) {
            return "";
        }
        String calls = figures.calls().get().counts().entrySet().stream()
                .map(entry -> "%s %,d".formatted(entry.getKey().operation(), entry.getValue()))
                .collect(Collectors.joining(", "));
        String seconds = figures.deletesBySecond().stream().map(String::valueOf).collect(Collectors.joining(" "));
        return "  calls: %s%n  deletes, second by second: %s%n".formatted(calls, seconds);
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }

    private static String number(String format, Optional<Double> value) {
        return value.map(number -> String.format(Locale.ROOT, format, number)).orElse("-");
    }

    private static String mebibytes(OptionalLong bytes) {
        return bytes.isPresent() ? String.valueOf(bytes.getAsLong() >> 20) : "?";
    }
}
