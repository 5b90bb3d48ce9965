package com.finedge.once.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** The order saga that ships, with timeouts that nobody has to wait for. */
public final class ShortTimeouts {

    private static final String FILE = "order-fulfilment.v1.yaml";
    private static final String SHIPPED = "after: PT2M\n      resend: 3";

    private ShortTimeouts() {}

    /** Writes the definition into a folder of its own, and returns the value of {@code once.sagas.definitions}. */
    public static String definitions(Duration after, int resend) {
        try (InputStream shipped = ShortTimeouts.class.getResourceAsStream("/sagas/" + FILE)) {
            String yaml = new String(Objects.requireNonNull(shipped).readAllBytes(), UTF_8);
            if (!yaml.contains(SHIPPED)) {
                throw new IllegalStateException(FILE + " has other timeouts than are shortened here");
            }
            Path folder = Files.createTempDirectory("sagas");
            Path file = folder.resolve(FILE);
            file.toFile().deleteOnExit();
            folder.toFile().deleteOnExit();
            Files.writeString(file, yaml.replace(SHIPPED, "after: %s\n      resend: %d".formatted(after, resend)));
            return file.toUri().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
