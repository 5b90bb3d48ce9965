package com.finedge.once.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Processor time used so far, as Linux counts it in {@code /proc}; where there is none, only what Java knows.
 *
 * @param consumer of the measured JVM, without its JIT compilers where they can be told apart
 * @param ours of this process and all its children, living and gone
 * @param machine of everything on this machine, and what its host took from it
 */
record ProcessorTime(Duration consumer, Optional<Duration> ours, Optional<Duration> machine) {

    /** The kernel's unit in /proc, the same on every platform that Java runs on. */
    private static final Duration TICK = Duration.ofMillis(10);

    private static final Path PROC = Path.of("/proc");

    static ProcessorTime sample(ProcessHandle consumer) {
        long pid = consumer.pid();
        Duration measured = ticks(PROC.resolve(pid + "/stat"), false)
                .map(all -> all.minus(compilers(pid)))
                .or(() -> consumer.info().totalCpuDuration())
                .orElse(Duration.ZERO);
        ProcessHandle self = ProcessHandle.current();
        Optional<Duration> ours = ticks(PROC.resolve("self/stat"), true)
                .map(own -> self.descendants()
                        .map(child ->
                                ticks(PROC.resolve(child.pid() + "/stat"), true).orElse(Duration.ZERO))
                        .reduce(own, Duration::plus));
        return new ProcessorTime(measured, ours, machineBusy());
    }

    /** How many cores others than us kept busy between two samples. */
    static Optional<Double> othersCores(ProcessorTime start, ProcessorTime end, Duration elapsed) {
        if (start.ours.isEmpty() || start.machine.isEmpty() || end.ours.isEmpty() || end.machine.isEmpty()) {
            return Optional.empty();
        }
        Duration all = end.machine.get().minus(start.machine.get());
        Duration own = end.ours.get().minus(start.ours.get());
        return Optional.of(Math.max(0, all.minus(own).toNanos() / (double) elapsed.toNanos()));
    }

    private static Duration compilers(long pid) {
        try (Stream<Path> threads = Files.list(PROC.resolve(pid + "/task"))) {
            return threads.filter(ProcessorTime::isCompiler)
                    .map(thread -> ticks(thread.resolve("stat"), false).orElse(Duration.ZERO))
                    .reduce(Duration.ZERO, Duration::plus);
        } catch (IOException e) {
            return Duration.ZERO;
        }
    }

    private static boolean isCompiler(Path thread) {
        try {
            // The kernel cuts "C2 CompilerThread0" after 15 characters.
            return Files.readString(thread.resolve("comm")).matches("C[12] CompilerThre\\s*");
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<Duration> ticks(Path stat, boolean withGoneChildren) {
        try {
            String text = Files.readString(stat);
            // The name in parentheses may hold blanks; user and system time are the 12th and 13th field behind it.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            long own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            long gone = Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
            return Optional.of(TICK.multipliedBy(withGoneChildren ? own + gone : own));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> machineBusy() {
        try (Stream<String> lines = Files.lines(PROC.resolve("stat"))) {
            String[] fields = lines.findFirst().orElse("").trim().split("\\s+", -1);
            // cpu user nice system idle iowait irq softirq steal
            long busy = LongStream.of(1, 2, 3, 6, 7, 8)
                    .map(field -> Long.parseLong(fields[(int) field]))
                    .sum();
            return Optional.of(TICK.multipliedBy(busy));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
