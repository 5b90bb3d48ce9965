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
import java.util.stream.Stream;

/**
 * What a folder {@code src/test/<name>} asks of npm, installed into the build folder once for each content of that
 * folder.
 */
final class NpmInstall {

    static final int LOWEST_NODE = 20;

    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\.\\d+.*");
    private static final int NPM_LIMIT_MINUTES = 5;

    private final String name;
    private final String purpose;

    /**
     * @param name of the folder, which has a package.json, its lock file and whatever runs with them
     * @param purpose what it is and does, for a message
     */
    NpmInstall(String name, String purpose) {
        this.name = name;
        this.purpose = purpose;
    }

    /**
     * The folder with the files and what they need, installed when it isn't there yet.
     *
     * @throws ServiceStartException when Node or npm is missing or too old, or npm can't install
     */
    Path ensure() {
        requireNode("node");
        synchronized (NpmInstall.class) {
            try {
                Path testClasses = testClasses();
                List<Path> sources = sources(testClasses);
                Path home = testClasses.resolveSibling(name);
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
    }

    /** @param node the command to ask for its version */
    void requireNode(String node) {
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
                    "%s needs Node.js %d or newer, and there is no `%s` on the path."
                            .formatted(purpose, LOWEST_NODE, node),
                    e);
        }
        var match = NODE_VERSION.matcher(version);
        if (!match.matches() || Integer.parseInt(match.group(1)) < LOWEST_NODE) {
            throw new ServiceStartException("%s needs Node.js %d or newer, and `%s --version` says \"%s\"."
                    .formatted(purpose, LOWEST_NODE, node, version));
        }
    }

    /** A killed install leaves a folder under another name, never one that could be taken for a good install. */
    private void install(List<Path> sources, Path home, Path installed) throws IOException {
        Path fresh = Files.createTempDirectory(home, "installing-");
        for (Path file : sources) {
            Files.copy(file, fresh.resolve(file.getFileName()));
        }
        npm(fresh);
        Files.move(fresh, installed, StandardCopyOption.ATOMIC_MOVE);
    }

    private void npm(Path folder) throws IOException {
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
                    "%s is installed by npm, and there is no `npm` on the path.".formatted(purpose), e);
        }
        try {
            if (!npm.waitFor(NPM_LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new ServiceStartException("`npm ci` for %s was not done within %d minutes; see %s."
                        .formatted(purpose, NPM_LIMIT_MINUTES, log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceStartException("`npm ci` for %s was interrupted.".formatted(purpose), e);
        } finally {
            npm.destroyForcibly();
        }
        if (npm.exitValue() != 0) {
            throw new ServiceStartException(
                    "`npm ci` for %s failed with status %d; see %s.".formatted(purpose, npm.exitValue(), log));
        }
    }

    private static Path testClasses() {
        try {
            return Path.of(NpmInstall.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Path> sources(Path testClasses) throws IOException {
        for (Path folder = testClasses.getParent(); folder != null; folder = folder.getParent()) {
            Path sources = folder.resolve("src/test").resolve(name);
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.list(sources)) {
                    return files.filter(Files::isRegularFile).sorted().toList();
                }
            }
        }
        throw new IllegalStateException("No folder src/test/%s above %s".formatted(name, testClasses));
    }

    private static String digest(List<Path> sources) throws IOException {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (Path file : sources) {
                sha256.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(sha256.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
