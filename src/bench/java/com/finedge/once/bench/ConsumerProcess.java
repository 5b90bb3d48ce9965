package com.finedge.once.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A consumer in a JVM of its own; it ends with the benchmark, however that ends. */
final class ConsumerProcess implements AutoCloseable {

    /** The last line of a class histogram: live objects and their bytes. */
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final Path log;

    private ConsumerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** @param log where its output goes */
    static ConsumerProcess start(Peer peer, Peer.Endpoints endpoints, Options options, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                tool("java"),
                "-Xmx" + options.heap(),
                "-XX:+ExitOnOutOfMemoryError",
                // A compiler thread that ends takes its processor time out of reach.
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Daws.accessKeyId=local",
                "-Daws.secretAccessKey=local"));
        command.addAll(options.javaOptions());
        command.addAll(List.of("-cp", peer.classPath(), peer.mainClass()));
        command.addAll(peer.args().apply(endpoints));
        Files.createDirectories(log.toAbsolutePath().getParent());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new ConsumerProcess(process, log);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The bytes of live objects, after a full collection; nothing where the JDK's tools can't reach the process. */
    OptionalLong liveBytes() throws IOException, InterruptedException {
        Process histogram = new ProcessBuilder(tool("jcmd"), String.valueOf(process.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String output = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(output);
        return histogram.waitFor() == 0 && total.find()
                ? OptionalLong.of(Long.parseLong(total.group(1)))
                : OptionalLong.empty();
    }

    /** The end of its output. */
    String lastLines(int lines) throws IOException {
        List<String> all = Files.readAllLines(log);
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly().onExit().join();
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
