package com.finedge.once.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Standard queues in SQS's JSON protocol: long polling, visibility, batches and the digests that the SDK verifies. */
final class StubSqs {

    private static final String ACCOUNT = "000000000000";
    private static final Duration DEFAULT_VISIBILITY = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofDays(4);

    private final EventLoop loop;
    private final Map<String, Queue> queues = new HashMap<>();

    StubSqs(EventLoop loop) {
        this.loop = loop;
    }

    Queue createQueue(String name) {
        return queues.computeIfAbsent(name, Queue::new);
    }

    Queue queue(String name) {
        Queue queue = queues.get(name);
        if (queue == null) {
            throw Refusal.of("com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist: " + name);
        }
        return queue;
    }

    void handle(String operation, URI server, JsonNode request, StubServer.Reply reply) {
        if (operation.equals("GetQueueUrl")) {
            String name = request.path("QueueName").asText();
            queue(name);
            reply.send(200, object().put("QueueUrl", server + "/" + ACCOUNT + "/" + name));
            return;
        }
        String url = request.path("QueueUrl").asText();
        Queue queue = queue(url.substring(url.lastIndexOf('/') + 1));
        switch (operation) {
            case "GetQueueAttributes" -> reply.send(200, queue.attributes(request.path("AttributeNames")));
            case "ReceiveMessage" -> receive(queue, request, reply);
            case "DeleteMessage" -> {
                queue.delete(receipt(request));
                reply.send(200, object());
            }
            case "DeleteMessageBatch" ->
                reply.send(200, batch(request, entry -> {
                    queue.delete(receipt(entry));
                    return object();
                }));
            case "ChangeMessageVisibility" -> {
                queue.changeVisibility(receipt(request), visibility(request));
                reply.send(200, object());
            }
            case "ChangeMessageVisibilityBatch" ->
                reply.send(200, batch(request, entry -> {
                    queue.changeVisibility(receipt(entry), visibility(entry));
                    return object();
                }));
            case "SendMessage" -> reply.send(200, send(queue, request));
            case "SendMessageBatch" -> reply.send(200, batch(request, entry -> send(queue, entry)));
            default -> throw Refusal.unknown("SQS " + operation);
        }
    }

    private static void receive(Queue queue, JsonNode request, StubServer.Reply reply) {
        int most = request.path("MaxNumberOfMessages").asInt(1);
        Duration visibility = request.has("VisibilityTimeout") ? visibility(request) : DEFAULT_VISIBILITY;
        Duration wait = Duration.ofSeconds(request.path("WaitTimeSeconds").asLong());
        queue.receive(most, visibility, wait, reply, messages -> {
            ObjectNode answer = object();
            ArrayNode list = answer.putArray("Messages");
            messages.forEach(message -> list.add(message.toJson(request)));
            reply.send(200, answer);
        });
    }

    private static ObjectNode send(Queue queue, JsonNode request) {
        Map<String, JsonNode> attributes = fields(request.path("MessageAttributes"));
        Message message = queue.send(request.path("MessageBody").asText(), attributes);
        ObjectNode answer = object().put("MessageId", message.id).put("MD5OfMessageBody", message.bodyDigest);
        if (!attributes.isEmpty()) {
            answer.put("MD5OfMessageAttributes", digest(attributes));
        }
        return answer;
    }

    private interface Entry {
        ObjectNode handle(JsonNode entry);
    }

    private static ObjectNode batch(JsonNode request, Entry operation) {
        ObjectNode answer = object();
        ArrayNode successful = answer.putArray("Successful");
        ArrayNode failed = answer.putArray("Failed");
        JsonNode entries = request.path("Entries");
        if (entries.isEmpty() || entries.size() > 10) {
            throw Refusal.of(
                    "com.amazonaws.sqs#TooManyEntriesInBatchRequest", "A batch has 1 to 10 entries: " + entries.size());
        }
        for (JsonNode entry : entries) {
            String id = entry.path("Id").asText();
            try {
                successful.add(operation.handle(entry).put("Id", id));
            } catch (Refusal refusal) {
                failed.addObject()
                        .put("Id", id)
                        .put("SenderFault", true)
                        .put("Code", refusal.body().path("__type").asText())
                        .put("Message", refusal.getMessage());
            }
        }
        return answer;
    }

    private static String receipt(JsonNode request) {
        return request.path("ReceiptHandle").asText();
    }

    private static Duration visibility(JsonNode request) {
        return Duration.ofSeconds(request.path("VisibilityTimeout").asLong());
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Map<String, JsonNode> fields(JsonNode object) {
        Map<String, JsonNode> fields = new TreeMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** One message left the queue for good, at {@code nanos}, this long after the receive that handed it out. */
    record Deletion(long nanos, long sinceReceiveNanos, String body) {}

    /** One message came in from outside, at {@code nanos}. */
    record Arrival(long nanos, String body) {}

    /** One queue; used on the event loop only. */
    final class Queue {

        private final String name;
        private final Deque<Message> visible = new ArrayDeque<>();
        private final Map<String, Message> invisible = new HashMap<>();
        private final Deque<Poll> polls = new ArrayDeque<>();
        private final List<Deletion> deletions = new ArrayList<>();
        private final List<Arrival> arrivals = new ArrayList<>();
        private final Map<Integer, CompletableFuture<Void>> milestones = new HashMap<>();

        private Queue(String name) {
            this.name = name;
        }

        Message send(String body, Map<String, JsonNode> attributes) {
            Message message = new Message(body, attributes);
            arrivals.add(new Arrival(System.nanoTime(), body));
            visible.add(message);
            servePolls();
            return message;
        }

        int depth() {
            return visible.size() + invisible.size();
        }

        List<Arrival> arrivals() {
            return arrivals;
        }

        List<Deletion> deletions() {
            return deletions;
        }

        CompletableFuture<Void> atDelete(int n) {
            return milestones.computeIfAbsent(n, ignored -> new CompletableFuture<>());
        }

        private void receive(
                int most,
                Duration visibility,
                Duration wait,
                StubServer.Reply reply,
                Consumer<List<Message>> receiver) {
            if (!visible.isEmpty() || wait.isZero()) {
                receiver.accept(handOut(most, visibility));
                return;
            }
            Poll poll = new Poll(most, visibility, reply, receiver);
            polls.add(poll);
            var unused = loop.schedule(
                    () -> {
                        if (polls.remove(poll)) {
                            receiver.accept(List.of());
                        }
                    },
                    wait.toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        private void servePolls() {
            while (!visible.isEmpty() && !polls.isEmpty()) {
                Poll poll = polls.remove();
                // A message handed to a consumer that has gone would be lost to the others until its timeout.
                if (poll.reply.isOpen()) {
                    poll.receiver.accept(handOut(poll.most, poll.visibility));
                }
            }
        }

        private List<Message> handOut(int most, Duration visibility) {
            List<Message> handed = new ArrayList<>();
            while (handed.size() < most && !visible.isEmpty()) {
                Message message = visible.remove();
                message.receives++;
                message.receipt = UUID.randomUUID().toString();
                message.receivedNanos = System.nanoTime();
                invisible.put(message.receipt, message);
                scheduleReturn(message, visibility);
                handed.add(message);
            }
            return handed;
        }

        private void scheduleReturn(Message message, Duration visibility) {
            message.cancelReturn();
            if (visibility.isZero()) {
                putBack(message);
            } else {
                message.comesBack = loop.schedule(() -> putBack(message), visibility.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        private void putBack(Message message) {
            invisible.remove(message.receipt);
            visible.add(message);
            servePolls();
        }

        /** An unknown or lapsed receipt deletes nothing and is no error, as on a standard queue. */
        private void delete(String receipt) {
            Message message = invisible.remove(receipt);
            if (message == null) {
                return;
            }
            message.cancelReturn();
            long now = System.nanoTime();
            deletions.add(new Deletion(now, now - message.receivedNanos, message.body));
            CompletableFuture<Void> milestone = milestones.remove(deletions.size());
            if (milestone != null) {
                milestone.complete(null);
            }
        }

        private void changeVisibility(String receipt, Duration visibility) {
            Message message = invisible.get(receipt);
            if (message == null) {
                throw Refusal.of("com.amazonaws.sqs#MessageNotInflight", "The message is not in flight.");
            }
            scheduleReturn(message, visibility);
        }

        private ObjectNode attributes(JsonNode names) {
            Map<String, String> attributes = Map.of(
                    "QueueArn", "arn:aws:sqs:eu-west-1:" + ACCOUNT + ":" + name,
                    "ApproximateNumberOfMessages", String.valueOf(visible.size()),
                    "ApproximateNumberOfMessagesNotVisible", String.valueOf(invisible.size()),
                    "ApproximateNumberOfMessagesDelayed", "0",
                    "VisibilityTimeout", String.valueOf(DEFAULT_VISIBILITY.toSeconds()),
                    "MessageRetentionPeriod", String.valueOf(RETENTION.toSeconds()),
                    "ReceiveMessageWaitTimeSeconds", "0");
            ObjectNode answer = object();
            ObjectNode chosen = answer.putObject("Attributes");
            attributes.forEach((attribute, value) -> {
                if (asksFor(names, attribute)) {
                    chosen.put(attribute, value);
                }
            });
            return answer;
        }
    }

    private record Poll(int most, Duration visibility, StubServer.Reply reply, Consumer<List<Message>> receiver) {

        // A poll is one of a kind, whatever it asks for.
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private static boolean asksFor(JsonNode names, String name) {
        for (JsonNode asked : names) {
            if (asked.asText().equals("All") || asked.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    static final class Message {

        private final String id = UUID.randomUUID().toString();
        private final long sentAt = System.currentTimeMillis();
        private final String body;
        private final String bodyDigest;
        private final Map<String, JsonNode> attributes;
        private String receipt = "";
        private long receivedNanos;
        private int receives;
        private @Nullable ScheduledFuture<?> comesBack;

        private Message(String body, Map<String, JsonNode> attributes) {
            this.body = body;
            this.attributes = attributes;
            this.bodyDigest = HexFormat.of().formatHex(md5().digest(body.getBytes(StandardCharsets.UTF_8)));
        }

        private void cancelReturn() {
            if (comesBack != null) {
                comesBack.cancel(false);
            }
        }

        private ObjectNode toJson(JsonNode request) {
            ObjectNode json = object().put("MessageId", id)
                    .put("ReceiptHandle", receipt)
                    .put("Body", body)
                    .put("MD5OfBody", bodyDigest);
            JsonNode systemNames = request.has("MessageSystemAttributeNames")
                    ? request.path("MessageSystemAttributeNames")
                    : request.path("AttributeNames");
            ObjectNode system = object();
            Map.of("ApproximateReceiveCount", String.valueOf(receives), "SentTimestamp", String.valueOf(sentAt))
                    .forEach((name, value) -> {
                        if (asksFor(systemNames, name)) {
                            system.put(name, value);
                        }
                    });
            if (!system.isEmpty()) {
                json.set("Attributes", system);
            }
            Map<String, JsonNode> chosen = new TreeMap<>(attributes);
            chosen.keySet().removeIf(name -> !asksFor(request.path("MessageAttributeNames"), name));
            if (!chosen.isEmpty()) {
                json.putObject("MessageAttributes").setAll(chosen);
                json.put("MD5OfMessageAttributes", digest(chosen));
            }
            return json;
        }
    }

    /** SQS's digest of message attributes: names in order; each name, type and value with its length before it. */
    private static String digest(Map<String, JsonNode> attributes) {
        MessageDigest md5 = md5();
        for (Map.Entry<String, JsonNode> attribute : new TreeMap<>(attributes).entrySet()) {
            JsonNode value = attribute.getValue();
            if (!value.has("StringValue")) {
                throw Refusal.unknown("a message attribute that isn't a string: " + attribute.getKey());
            }
            update(md5, attribute.getKey());
            update(md5, value.path("DataType").asText());
            md5.update((byte) 1);
            update(md5, value.path("StringValue").asText());
        }
        return HexFormat.of().formatHex(md5.digest());
    }

    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
