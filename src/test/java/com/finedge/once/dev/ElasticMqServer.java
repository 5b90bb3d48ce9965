package com.finedge.once.dev;

import com.typesafe.config.ConfigFactory;
import java.net.BindException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.springframework.core.NestedExceptionUtils;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/** The SQS API in this JVM, in memory, on 127.0.0.1. */
public final class ElasticMqServer implements AutoCloseable {

    private final ActorSystem actors;
    private final URI endpoint;

    private ElasticMqServer(ActorSystem actors, URI endpoint) {
        this.actors = actors;
        this.endpoint = endpoint;
    }

    /**
     * Starts a server that answers when this method returns.
     *
     * @param port 0 for a free one
     * @throws ServiceStartException when the port is taken
     */
    public static ElasticMqServer start(int port) {
        ActorSystem actors = quietActors();
        try {
            var address = SQSRestServerBuilder.withActorSystem(actors)
                    .withInterface("127.0.0.1")
                    .withPort(port)
                    .withAWSRegion(LocalAws.REGION.id())
                    .start()
                    .waitUntilStarted()
                    .localAddress();
            return new ElasticMqServer(actors, URI.create("http://127.0.0.1:" + address.getPort()));
        } catch (Exception e) {
            stop(actors);
            if (NestedExceptionUtils.getMostSpecificCause(e) instanceof BindException) {
                throw ServiceStartException.portTaken("ElasticMQ (SQS)", port);
            }
            throw e;
        }
    }

    /** Where clients reach it; queue URLs begin with it. */
    public URI endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        stop(actors);
    }

    /**
     * An actor system of our own: ElasticMQ's would go on running after a failed start, would keep the JVM alive, and
     * would stop the queues by a shutdown hook while the application still drains them.
     */
    private static ActorSystem quietActors() {
        var settings = ConfigFactory.parseString("""
                pekko.daemonic = on
                pekko.loglevel = WARNING
                pekko.jvm-shutdown-hooks = off
                pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                """);
        return ActorSystem.create("elasticmq", settings.withFallback(ConfigFactory.load()));
    }

    private static void stop(ActorSystem actors) {
        try {
            Await.ready(actors.terminate(), Duration.apply(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("ElasticMQ did not stop within 10 s", e);
        }
    }
}
