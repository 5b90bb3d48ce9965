package com.finedge.once.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * SQS, DynamoDB, core banking and the notification service on one port of 127.0.0.1, as far as the benchmark needs
 * them.
 *
 * <p>Everything happens on one event loop, so nothing is locked. A request takes effect when its latency is over, at
 * the moment its answer leaves.
 */
final class StubServer implements AutoCloseable {

    /** Where a call's answer goes. */
    interface Reply {

        void send(int status, JsonNode body);

        /** Whether anybody is still there to read the answer. */
        boolean isOpen();
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LARGEST_REQUEST_BYTES = 2 << 20;

    private final NioEventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("stub", true));
    private final EventLoop loop = group.next();
    private final StubSqs sqs = new StubSqs(loop);
    private final StubDynamo dynamo = new StubDynamo();
    private final StubBank bank = new StubBank();
    private final Map<Call, Long> calls = new HashMap<>();
    private final Map<String, Duration> slowDebits = new HashMap<>();
    private final Map<String, Long> debitRequests = new HashMap<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private final Latencies latencies;
    private final Channel channel;

    private StubServer(Latencies latencies) {
        this.latencies = latencies;
        this.channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(LARGEST_REQUEST_BYTES),
                                        new Handler());
                    }
                })
                .bind("127.0.0.1", 0)
                .syncUninterruptibly()
                .channel();
    }

    static StubServer start(Latencies latencies) {
        return new StubServer(latencies);
    }

    /** The endpoint of all four services. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort());
    }

    void createQueue(String name) {
        onLoop(() -> sqs.createQueue(name));
    }

    void send(String queue, List<String> bodies) {
        onLoop(() -> {
            bodies.forEach(body -> sqs.queue(queue).send(body, Map.of()));
            return null;
        });
    }

    /** How many messages the queue holds, visible or not. */
    int depth(String queue) {
        return onLoop(() -> sqs.queue(queue).depth());
    }

    int deleted(String queue) {
        return onLoop(() -> sqs.queue(queue).deletions().size());
    }

    void slowDebit(String chargeId, Duration latency) {
        onLoop(() -> slowDebits.put(chargeId, latency));
    }

    /** When the first debit of each charge came in, before its latency, by {@link System#nanoTime()}. */
    Map<String, Long> debitRequests() {
        return onLoop(() -> Map.copyOf(debitRequests));
    }

    Snapshot snapshot() {
        return onLoop(this::snapshotHere);
    }

    /**
     * The state at the queue's n-th delete. What depends on it runs on the event loop, before anything else does.
     */
    CompletableFuture<Snapshot> atDelete(String queue, int n) {
        return onLoop(() -> sqs.queue(queue).atDelete(n)).thenApply(ignored -> snapshotHere());
    }

    /** The state when the n-th charge is debited; like {@link #atDelete}. */
    CompletableFuture<Snapshot> atDebit(int n) {
        return onLoop(() -> bank.atDebit(n)).thenApply(ignored -> snapshotHere());
    }

    /** The deletes so far, in their order. */
    List<StubSqs.Deletion> deletions(String queue) {
        return onLoop(() -> List.copyOf(sqs.queue(queue).deletions()));
    }

    /** How many messages have come in. */
    int arrived(String queue) {
        return onLoop(() -> sqs.queue(queue).arrivals().size());
    }

    /** The messages that have come in, in their order. */
    List<StubSqs.Arrival> arrivals(String queue) {
        return onLoop(() -> List.copyOf(sqs.queue(queue).arrivals()));
    }

    /** What the ledger holds and what was asked of it. */
    StubBank.Totals ledger() {
        return onLoop(bank::totals);
    }

    /** The requests that the stub couldn't answer as the real service would, each kind once. */
    List<String> problems() {
        return onLoop(() -> List.copyOf(problems));
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Snapshot snapshotHere() {
        return new Snapshot(System.nanoTime(), Map.copyOf(calls), bank.debitedCharges());
    }

    private <T> T onLoop(Callable<T> task) {
        return loop.submit(task).syncUninterruptibly().getNow();
    }

    /** What had happened at one moment; {@code nanos} is of {@link System#nanoTime()}. */
    record Snapshot(long nanos, Map<Call, Long> calls, int debitedCharges) {

        long count(Api api) {
            return calls.entrySet().stream()
                    .filter(entry -> entry.getKey().api() == api)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        long count(Call call) {
            return calls.getOrDefault(call, 0L);
        }
    }

    private final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            var reply = new HttpReply(context);
            try {
                Call call = call(request);
                JsonNode body = body(request);
                HttpHeaders headers = request.headers();
                Runnable answer = () -> answer(call, headers, body, reply);
                Duration latency = call.api() == Api.BANK ? debitLatency(body) : latencies.of(call.api());
                if (latency.isZero()) {
                    answer.run();
                } else {
                    var unused = loop.schedule(answer, latency.toNanos(), TimeUnit.NANOSECONDS);
                }
            } catch (Refusal refusal) {
                refuse(refusal, reply);
            }
        }

        private Duration debitLatency(JsonNode debit) {
            String charge = debit.path("chargeId").asText();
            debitRequests.putIfAbsent(charge, System.nanoTime());
            return slowDebits.getOrDefault(charge, latencies.bank());
        }

        private void answer(Call call, HttpHeaders headers, JsonNode body, Reply reply) {
            calls.merge(call, 1L, Long::sum);
            try {
                switch (call.api()) {
                    case SQS -> sqs.handle(call.operation(), uri(), body, reply);
                    case DYNAMODB -> reply.send(200, dynamo.handle(call.operation(), body));
                    case BANK -> bank.debit(headers.get("Idempotency-Key"), body, reply);
                    case NOTIFICATIONS -> bank.accept(headers.get("Idempotency-Key"), reply);
                }
            } catch (Refusal refusal) {
                refuse(refusal, reply);
            } catch (RuntimeException e) {
                // In a scheduled task it would vanish in a future that nobody looks at.
                refuse(Refusal.unknown(call + ": " + e), reply);
            }
        }

        private void refuse(Refusal refusal, Reply reply) {
            if (!refusal.expected()) {
                problems.add(String.valueOf(refusal.getMessage()));
            }
            reply.send(400, refusal.body());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A consumer that is stopped resets its connections; anything else is the stub's own fault.
            if (!(cause instanceof IOException)) {
                problems.add(cause.toString());
            }
            var unused = context.close();
        }
    }

    private static Call call(FullHttpRequest request) {
        String target = request.headers().get("X-Amz-Target", "");
        String operation = target.substring(target.indexOf('.') + 1);
        if (target.startsWith("AmazonSQS.")) {
            return new Call(Api.SQS, operation);
        } else if (target.startsWith("DynamoDB_20120810.")) {
            return new Call(Api.DYNAMODB, operation);
        }
        return switch (request.method() + " " + request.uri()) {
            case "POST /debits" -> new Call(Api.BANK, "debit");
            case "POST /notifications" -> new Call(Api.NOTIFICATIONS, "notify");
            default -> throw Refusal.unknown(request.method() + " " + request.uri() + " " + target);
        };
    }

    private static JsonNode body(FullHttpRequest request) {
        try (InputStream content = new ByteBufInputStream(request.content())) {
            return JSON.readTree(content);
        } catch (IOException e) {
            throw Refusal.unknown("a body that isn't JSON: " + e.getMessage());
        }
    }

    private record HttpReply(ChannelHandlerContext context) implements Reply {

        @Override
        public void send(int status, JsonNode body) {
            byte[] bytes;
            try {
                bytes = JSON.writeValueAsBytes(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(bytes));
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, body instanceof ObjectNode ? "application/json" : "text/plain")
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
            var unused = context.writeAndFlush(response, context.voidPromise());
        }

        @Override
        public boolean isOpen() {
            return context.channel().isActive();
        }
    }
}
