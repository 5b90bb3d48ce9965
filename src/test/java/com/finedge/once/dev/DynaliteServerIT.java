package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynaliteServerIT {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void itServesTablesOnTheLoopbackAddress() {
        try (var server = DynaliteServer.start(0);
                var dynamoDb = LocalAws.dynamoDb(server.endpoint())) {
            assertThat(server.endpoint().getHost()).isEqualTo("127.0.0.1");
            assertThat(dynamoDb.listTables().tableNames()).isEmpty();
        }
    }

    @Test
    void closingItEndsItsProcess() {
        ProcessHandle node;
        try (var server = DynaliteServer.start(0)) {
            node = ProcessHandle.of(server.pid()).orElseThrow();
            assertThat(node.isAlive()).isTrue();
        }
        assertThat(node.isAlive()).isFalse();
    }

    @Test
    void itsProcessEndsWhenTheJvmThatStartedItIsKilled() throws IOException {
        Process parent = javaProcess();
        try {
            long pid =
                    Long.parseLong(Objects.requireNonNull(parent.inputReader().readLine()));
            ProcessHandle node = ProcessHandle.of(pid).orElseThrow();
            assertThat(node.isAlive()).isTrue();

            parent.destroyForcibly();

            Awaitility.await().atMost(LIMIT).until(() -> !node.isAlive());
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void itsProcessOutlivesASignalThatIsMeantForTheWholeGroup() {
        try (var server = DynaliteServer.start(0);
                var dynamoDb = LocalAws.dynamoDb(server.endpoint())) {
            ProcessHandle node = ProcessHandle.of(server.pid()).orElseThrow();

            assertThat(node.destroy()).isTrue();

            Awaitility.await()
                    .during(Duration.ofMillis(500))
                    .atMost(LIMIT)
                    .until(() -> dynamoDb.listTables().tableNames().isEmpty());
        }
    }

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() {
        try (var first = DynaliteServer.start(0)) {
            int port = first.endpoint().getPort();

            assertThatExceptionOfType(ServiceStartException.class)
                    .isThrownBy(() -> DynaliteServer.start(port))
                    .withMessage(
                            "dynalite (DynamoDB) can't start: port %d on 127.0.0.1 is taken by another process.", port);
        }
    }

    @Test
    void aMissingNodeIsSaidInOneSentence() {
        String missing = folder.resolve("node").toString();

        assertThatExceptionOfType(ServiceStartException.class)
                .isThrownBy(() -> DynaliteServer.INSTALL.requireNode(missing))
                .withMessage(
                        "dynalite (DynamoDB) needs Node.js 20 or newer, and there is no `%s` on the path.", missing);
    }

    @Test
    void aNodeThatIsTooOldIsSaidInOneSentence() throws IOException {
        Path old = folder.resolve("node");
        Files.writeString(old, "#!/bin/sh\necho v18.19.0\n");
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwx------"));

        assertThatExceptionOfType(ServiceStartException.class)
                .isThrownBy(() -> DynaliteServer.INSTALL.requireNode(old.toString()))
                .withMessage(
                        "dynalite (DynamoDB) needs Node.js 20 or newer, and `%s --version` says \"v18.19.0\".", old);
    }

    private static Process javaProcess() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
    }

    /** A JVM that starts the server, prints the id of its process, and stays until it is killed. */
    static final class Parent {

        private Parent() {}

        public static void main(String[] args) throws IOException {
            System.out.println(DynaliteServer.start(0).pid());
            System.in.read();
        }
    }
}
