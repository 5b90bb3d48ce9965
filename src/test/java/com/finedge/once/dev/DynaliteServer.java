package com.finedge.once.dev;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The DynamoDB API in memory on 127.0.0.1: dynalite in a Node process that ends with this JVM, however that ends.
 *
 * <p>It has no transactions, PartiQL or TTL, and returns no item with a failed condition.
 */
public final class DynaliteServer implements AutoCloseable {

    private static final int START_LIMIT_SECONDS = 30;
    private static final int STOP_LIMIT_SECONDS = 5;

    static final NpmInstall INSTALL = new NpmInstall("dynalite", "dynalite (DynamoDB)");

    private final Process process;
    private final URI endpoint;

    private DynaliteServer(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts a server that answers when this method returns; the first start in a build folder installs it by npm.
     *
     * @param port 0 for a free one
     * @throws ServiceStartException when the port is taken, Node.js or npm is missing or too old, or npm can't install
     */
    public static DynaliteServer start(int port) {
        var command = new ProcessBuilder("node", "server.js", Integer.toString(port))
                .directory(INSTALL.ensure().toFile())
                .redirectError(Redirect.INHERIT);
        Process process;
        try {
            process = command.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String answer = firstLine(process);
        if (answer != null && answer.startsWith("listening ")) {
            return new DynaliteServer(
                    process, URI.create("http://127.0.0.1:" + answer.substring("listening ".length())));
        }
        process.destroyForcibly();
        if ("failed EADDRINUSE".equals(answer)) {
            throw ServiceStartException.portTaken("dynalite (DynamoDB)", port);
        }
        throw new ServiceStartException("dynalite (DynamoDB) did not start: %s."
                .formatted(
                        answer == null
                                ? "its process said nothing within %d s".formatted(START_LIMIT_SECONDS)
                                : answer));
    }

    /** Where clients reach it. */
    public URI endpoint() {
        return endpoint;
    }

    /** The id of the Node process. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable String firstLine(Process process) {
        BufferedReader output = process.inputReader();
        var line = new CompletableFuture<@Nullable String>();
        Thread.ofVirtual().start(() -> {
            try {
                line.complete(output.readLine());
            } catch (IOException e) {
                line.completeExceptionally(e);
            }
        });
        try {
            return line.get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }
}
