package com.finedge.once.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;

/** The whole application in a JVM of its own, so that it can be stopped, continued and killed. */
public final class OnceProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(90);

    private final Process process;
    private final Thread reader;
    private final Queue<String> output = new ConcurrentLinkedQueue<>();

    private OnceProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /**
     * Starts it with these settings; those that begin with {@code aws.} become system properties.
     *
     * @param jvm options of the JVM besides
     */
    public static OnceProcess start(Map<String, String> settings, String... jvm) {
        Map<String, String> properties = new HashMap<>(settings);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(jvm));
        settings.forEach((key, value) -> {
            if (key.startsWith("aws.")) {
                command.add("-D" + key + "=" + value);
                properties.remove(key);
            }
        });
        command.add(StoppableOnce.class.getName());
        command.addAll(List.of(RunningOnce.arguments(properties)));
        try {
            return new OnceProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(output::add);
        } catch (IOException | UncheckedIOException e) {
            // The stream of a killed process ends like this.
        }
    }

    /** Waits until it has said this. */
    public OnceProcess awaitLine(String part) {
        Awaitility.await("line " + part)
                .atMost(LONGEST_START)
                .failFast(() -> {
                    if (!process.isAlive() && !said(part)) {
                        throw new IllegalStateException("the process has ended: " + String.join("\n", output));
                    }
                })
                .until(() -> said(part));
        return this;
    }

    /** Waits until it takes messages. */
    public OnceProcess awaitStart() {
        return awaitLine("Started StoppableOnce");
    }

    /** Whether it has said this. */
    public boolean said(String part) {
        return output.stream().anyMatch(line -> line.contains(part));
    }

    /** What it has said. */
    public List<String> lines() {
        return List.copyOf(output);
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: nothing is finished, flushed or released. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM, and the wait for its end and its last words. */
    public int terminate() {
        // Process.destroy() would close the stream of its output at once.
        signal("TERM");
        int exit = process.onExit().join().exitValue();
        try {
            reader.join(LONGEST_START);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return exit;
    }

    /** Sends a signal by its name: STOP, CONT or TERM. */
    public void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
