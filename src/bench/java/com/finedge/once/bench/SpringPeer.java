package com.finedge.once.bench;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.config.SqsBootstrapConfiguration;
import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement;
import io.awspring.cloud.sqs.listener.acknowledgement.handler.AcknowledgementMode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Spring Cloud AWS: a listener with manual acknowledgement, as its documentation shows it. */
final class SpringPeer {

    /** The most messages in flight where nothing is set, as its documentation has it. */
    private static final int DEFAULT_IN_FLIGHT = 10;

    private SpringPeer() {}

    /** After the endpoints: {@code default}, or how many messages may be in flight; and {@code async}, if it is to be. */
    public static void main(String[] args) throws InterruptedException {
        Peer.Endpoints endpoints = Peer.Endpoints.of(args);
        boolean isDefault = args[Peer.Endpoints.COUNT].equals("default");
        int inFlight = isDefault ? DEFAULT_IN_FLIGHT : Integer.parseInt(args[Peer.Endpoints.COUNT]);
        boolean async = args.length > Peer.Endpoints.COUNT + 1;
        try (var context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("bench", Map.of("queue", endpoints.queue())));
            context.registerBean(
                    "defaultSqsListenerContainerFactory",
                    SqsMessageListenerContainerFactory.class,
                    () -> factory(endpoints, inFlight, isDefault));
            context.registerBean(ChargeWork.class, () -> ChargeWork.of(endpoints, inFlight));
            context.register(Listeners.class, async ? AsynchronousListener.class : Listener.class);
            context.refresh();
            Thread.currentThread().join();
        }
    }

    private static SqsMessageListenerContainerFactory<Object> factory(
            Peer.Endpoints endpoints, int inFlight, boolean isDefault) {
        SqsAsyncClient sqs = SqsAsyncClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(endpoints.sqs())
                .httpClientBuilder(NettyNioAsyncHttpClient.builder().maxConcurrency(100))
                .build();
        return SqsMessageListenerContainerFactory.builder()
                .sqsAsyncClient(sqs)
                .configure(options -> {
                    options.acknowledgementMode(AcknowledgementMode.MANUAL);
                    if (!isDefault) {
                        options.maxConcurrentMessages(inFlight).maxMessagesPerPoll(10);
                    }
                })
                .build();
    }

    @Import(SqsBootstrapConfiguration.class)
    static final class Listeners {}

    static final class Listener {

        private final ChargeWork work;

        Listener(ChargeWork work) {
            this.work = work;
        }

        @SqsListener("${queue}")
        void receive(String body, Acknowledgement acknowledgement) {
            if (work.ends(body)) {
                acknowledgement.acknowledge();
            }
        }
    }

    static final class AsynchronousListener {

        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final ChargeWork work;

        AsynchronousListener(ChargeWork work) {
            this.work = work;
        }

        @SqsListener("${queue}")
        CompletableFuture<Void> receive(String body, Acknowledgement acknowledgement) {
            return CompletableFuture.supplyAsync(() -> work.ends(body), threads)
                    .thenCompose(ended ->
                            ended ? acknowledgement.acknowledgeAsync() : CompletableFuture.completedFuture(null));
        }
    }
}
