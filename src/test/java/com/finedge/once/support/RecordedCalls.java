package com.finedge.once.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Writes down which rights in AWS the calls of a process need, each once, as {@code sqs:SendMessage charges}. The SDK puts it
 * into every client; it does nothing but where the system property {@code once.test.calls} names a file.
 */
public final class RecordedCalls implements ExecutionInterceptor {

    private static final @Nullable String FILE = System.getProperty("once.test.calls");
    private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

    /** The option of a JVM that lets it write them into this file. */
    public static String into(Path file) {
        return "-Donce.test.calls=" + file;
    }

    /** What was written into a file so far. */
    public static Set<String> in(Path file) {
        try {
            return Files.exists(file) ? new TreeSet<>(Files.readAllLines(file)) : Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        if (FILE == null) {
            return;
        }
        String right = "%s:%s %s"
                .formatted(
                        attributes
                                .getAttribute(SdkExecutionAttribute.SERVICE_NAME)
                                .toLowerCase(Locale.ROOT),
                        action(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME)),
                        resource(context.request()));
        if (WRITTEN.add(right)) {
            write(FILE, right);
        }
    }

    private static synchronized void write(String file, String line) {
        try {
            Files.writeString(Path.of(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A batch of SQS needs the right of its entries, and any other call the right of its own name, but DynamoDB's transactions. */
    private static String action(String operation) {
        return switch (operation) {
            case "SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch" ->
                operation.replaceFirst("Batch$", "");
            default -> operation;
        };
    }

    /** The name of the queue or of the table; a call of nothing in particular, as a list of queues, needs the right to all. */
    private static String resource(SdkRequest request) {
        return request.getValueForField("QueueUrl", String.class)
                .or(() -> request.getValueForField("QueueName", String.class))
                .or(() -> request.getValueForField("TableName", String.class))
                .map(name -> name.substring(name.lastIndexOf('/') + 1))
                .orElse("*");
    }
}
