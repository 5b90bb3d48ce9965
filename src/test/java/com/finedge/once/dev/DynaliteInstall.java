package com.finedge.once.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** dynalite and what it needs, installed by npm into the build folder once for each content of its lock file. */
final class DynaliteInstall {

    static final int LOWEST_NODE = 20;

    private static final List<String> FILES = List.of("package.json", "package-lock.json", "server.js");
    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\.\\d+.*");
    private static final int NPM_LIMIT_MINUTES = 5;

    private DynaliteInstall() {}

    /**
     * The folder to run {@code server.js} in, installed when it isn't there yet.
     *
     * @throws ServiceStartException when Node or npm is missing or too old, or npm can't install
     */
    static synchronized Path ensure() {
        requireNode("node");
        try {
            Path testClasses = testClasses();
            Path sources = sources(testClasses);
            Path home = testClasses.resolveSibling("dynalite");
            Path installed = home.resolve(digest(sources));
            Files.createDirectories(home);
            // The monitor keeps out threads of this JVM, the lock other JVMs.
            try (var channel = FileChannel.open(
                            home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                if (lock.isValid() && !Files.isDirectory(installed)) {
                    install(sources, home, installed);
                }
            }
            return installed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param node the command to ask for its version */
    static void requireNode(String node) {
        String version;
        try {
            Process process = new ProcessBuilder(node, "--version")
                    .redirectErrorStream(true)
                    .start();
            try (var output = process.inputReader()) {
                version = Objects.requireNonNullElse(output.readLine(), "").strip();
            }
        } catch (IOException e) {
            throw new ServiceStartException(
                    "dynalite (DynamoDB) needs Node.js %d or newer, and there is no `%s` on the path."
                            .formatted(LOWEST_NODE, node),
                    e);
        }
        var match = NODE_VERSION.matcher(version);
        if (!match.matches() || Integer.parseInt(match.group(1)) < LOWEST_NODE) {
            throw new ServiceStartException(
                    "dynalite (DynamoDB) needs Node.js %d or newer, and `%s --version` says \"%s\"."
                            .formatted(LOWEST_NODE, node, version));
        }
    }

    /** A killed install leaves a folder under another name, never one that could be taken for a good install. */
    private static void install(Path sources, Path home, Path installed) throws IOException {
        Path fresh = Files.createTempDirectory(home, "installing-");
        for (String file : FILES) {
            Files.copy(sources.resolve(file), fresh.resolve(file));
        }
        npm(fresh);
        Files.move(fresh, installed, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void npm(Path folder) throws IOException {
        Path log = folder.resolve("npm.log");
        Process npm;
        try {
            npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new ServiceStartException(
                    "dynalite (DynamoDB) is installed by npm, and there is no `npm` on the path.", e);
        }
        try {
            if (!npm.waitFor(NPM_LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new ServiceStartException(
                        "`npm ci` for dynalite (DynamoDB) was not done within %d minutes; see %s."
                                .formatted(NPM_LIMIT_MINUTES, log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceStartException("`npm ci` for dynalite (DynamoDB) was interrupted.", e);
        } finally {
            npm.destroyForcibly();
        }
        if (npm.exitValue() != 0) {
            throw new ServiceStartException(
                    "`npm ci` for dynalite (DynamoDB) failed with status %d; see %s.".formatted(npm.exitValue(), log));
        }
    }

    private static Path testClasses() {
        try {
            return Path.of(DynaliteInstall.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path sources(Path testClasses) {
        for (Path folder = testClasses.getParent(); folder != null; folder = folder.getParent()) {
            Path sources = folder.resolve("src/test/dynalite");
            if (Files.isDirectory(sources)) {
                return sources;
            }
        }
        throw new IllegalStateException("No folder src/test/dynalite above " + testClasses);
    }

    private static String digest(Path sources) throws IOException {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (String file : FILES) {
                sha256.update(Files.readAllBytes(sources.resolve(file)));
            }
            return HexFormat.of().formatHex(sha256.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
