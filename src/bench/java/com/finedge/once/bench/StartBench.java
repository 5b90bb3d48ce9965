package com.finedge.once.bench;

import com.finedge.once.dev.LocalAws;
import com.finedge.once.dev.LocalServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * How long the jar of the image takes until it is ready, and what it holds when it rests: laid out as the Dockerfile does, with
 * and without the AOT cache, in turns. Charge recovery with its real back ends.
 */
final class StartBench {

    private static final int ROUNDS = 5;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration UNTIL_AT_REST = Duration.ofSeconds(15);
    private static final Path TARGET = Path.of("target");
    private static final Path FOLDER = TARGET.resolve("start-bench");

    /** What a container of 768 MiB has, by the Dockerfile's 75 percent. */
    private static final String HEAP = "-Xmx576m";

    private record Figures(Duration ready, long residentKib) {}

    private StartBench() {}

    /** What doesn't hold: nothing is demanded but that it starts. */
    static List<String> measure() throws InterruptedException {
        LocalAws.useLocalCredentials();
        try {
            layOut();
            run("-XX:AOTCacheOutput=once.aot", "-Xlog:aot=error", "-Dspring.context.exit=onRefresh");
            System.out.printf(
                    Locale.ROOT,
                    "AOT cache: %d MiB; %d starts each, in turns%n%n%-18s %12s %16s%n",
                    Files.size(FOLDER.resolve("once.aot")) >> 20,
                    ROUNDS,
                    "start",
                    "until ready",
                    "resident at rest");
            List<Figures> with = new ArrayList<>();
            List<Figures> without = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                without.add(start());
                with.add(start("-XX:AOTCache=once.aot"));
            }
            print("without AOT cache", without);
            print("with AOT cache", with);
            return List.of();
        } catch (IOException | IllegalStateException e) {
            return List.of("start: " + e.getMessage());
        }
    }

    private static void layOut() throws IOException, InterruptedException {
        Path jar;
        try (Stream<Path> files = Files.list(TARGET)) {
            jar = files.filter(file -> file.getFileName().toString().matches("once-\\d.*(?<!-sources)\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar in target: mvn -DskipTests package makes it"));
        }
        FileSystemUtils.deleteRecursively(FOLDER);
        await(new ProcessBuilder(
                java(), "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination", FOLDER.toString()));
        Files.move(FOLDER.resolve(jar.getFileName()), FOLDER.resolve("once.jar"));
    }

    private static void run(String... options) throws IOException, InterruptedException {
        await(command(List.of(options), Map.of("once.aws.region", "eu-west-1", "once.roles", "charge-recovery")));
    }

    private static void await(ProcessBuilder command) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Process process = command.redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("start-bench.log").toFile())
                .start();
        if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    String.join(" ", command.command()) + " failed: target/start-bench.log says why");
        }
    }

    private static ProcessBuilder command(List<String> options, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(java(), HEAP, "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(List.of("-Daws.accessKeyId=local", "-Daws.secretAccessKey=local"));
        command.addAll(options);
        command.addAll(List.of("-jar", "once.jar"));
        settings.forEach((key, value) -> command.add("--" + key + "=" + value));
        return new ProcessBuilder(command).directory(FOLDER.toFile());
    }

    private static Figures start(String... options) throws IOException, InterruptedException {
        LocalServices services = LocalServices.shared();
        int port = freePort();
        Map<String, String> settings = new HashMap<>(services.properties(services.fresh()));
        settings.putAll(Map.of(
                "once.roles", "charge-recovery",
                "server.address", "127.0.0.1",
                "server.port", "0",
                "management.server.address", "127.0.0.1",
                "management.server.port", Integer.toString(port)));
        settings.keySet().removeIf(key -> key.startsWith("aws."));
        long began = System.nanoTime();
        Process process = command(List.of(options), settings)
                .redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("start-bench.log").toFile())
                .start();
        try {
            URI readiness = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
            while (!isReady(readiness)) {
                if (!process.isAlive() || System.nanoTime() - began > LONGEST.toNanos()) {
                    throw new IllegalStateException("it isn't ready: target/start-bench.log says why");
                }
                Thread.sleep(10);
            }
            Duration ready = Duration.ofNanos(System.nanoTime() - began);
            Thread.sleep(UNTIL_AT_REST);
            return new Figures(ready, residentKib(process));
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static boolean isReady(URI readiness) {
        try {
            HttpURLConnection connection = (HttpURLConnection) readiness.toURL().openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(5_000);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    private static long residentKib(Process process) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(String what, List<Figures> figures) {
        long[] millis = figures.stream()
                .mapToLong(figure -> figure.ready().toMillis())
                .sorted()
                .toArray();
        long[] kib = figures.stream().mapToLong(Figures::residentKib).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%-18s %9.1f s %12d MiB   (%.1f to %.1f s)%n",
                what,
                millis[ROUNDS / 2] / 1e3,
                kib[ROUNDS / 2] >> 10,
                millis[0] / 1e3,
                millis[ROUNDS - 1] / 1e3);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
