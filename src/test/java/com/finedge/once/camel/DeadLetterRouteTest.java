package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.claim.InMemoryClaimStore;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadLetterRouteTest {

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SettableClock clock = new SettableClock();
    private final Heartbeat heartbeat = new Heartbeat(
            new Claims(
                    new InMemoryClaimStore(),
                    Duration.ofSeconds(30),
                    Duration.ofDays(60),
                    clock,
                    UUID::randomUUID,
                    ClaimListener.NONE),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofMinutes(5),
            clock,
            ClaimListener.NONE);
    private @Nullable RuntimeException sendFailure;

    @BeforeEach
    void start() throws Exception {
        camel.getRegistry()
                .bind(
                        "messages",
                        new MessageSteps(
                                new SqsMessages(new NoSqs.Async(), Duration.ofSeconds(1)),
                                new SqsQueues(new NoSqs()),
                                heartbeat,
                                clock,
                                Traces.NONE));
        camel.getRegistry().bind("deadLettersSent", new MemoryIdempotentRepository());
        camel.getPropertiesComponent().addPropertiesFunction(new RoleFunction(Set.of("charge-recovery")));
        PluginHelper.getRoutesLoader(camel)
                .loadRoutes(PluginHelper.getResourceLoader(camel)
                        .resolveResource("classpath:routes/dead-letter-message.camel.yaml"));
        AdviceWith.adviceWith(
                camel,
                "dead-letter-message",
                route -> route.weaveById("send-dead-letter")
                        .replace()
                        .process(exchange -> {
                            if (sendFailure != null) {
                                throw sendFailure;
                            }
                        })
                        .to("mock:sent"));
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:delete-message").to("mock:deleted");
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private Exchange deadLetter(String messageId) {
        return camel.createProducerTemplate().send("direct:dead-letter-message", exchange -> {
            exchange.getMessage().setBody("an object that a step has made of the body");
            exchange.getMessage().setHeader("CamelAwsSqsOperation", "purgeQueue");
            exchange.setVariable(
                    "message", new ReceivedMessage("charges", messageId, "receipt", " the body\n", 1, null, 0));
            exchange.setVariable("code", "NOT_JSON");
            exchange.setVariable("reason", "must be strict JSON");
        });
    }

    private List<Exchange> at(String end) {
        return camel.getEndpoint("mock:" + end, MockEndpoint.class).getExchanges();
    }

    @Test
    void theCopyHasTheBodyAsItCameAndNothingButItsAttributes() {
        deadLetter("m-1");

        assertThat(at("sent")).singleElement().satisfies(copy -> {
            assertThat(copy.getMessage().getBody()).isEqualTo(" the body\n");
            assertThat(copy.getMessage().getHeaders())
                    .isEqualTo(Map.of(
                            "code", "NOT_JSON",
                            "reason", "must be strict JSON",
                            "originalMessageId", "m-1",
                            "sourceQueue", "charges",
                            "failedAt", "2026-03-01T10:00:00Z"));
        });
        assertThat(at("deleted")).hasSize(1);
    }

    @Test
    void aMessageWhoseDeleteFailedIsNotCopiedAgain() {
        deadLetter("m-1");
        deadLetter("m-1");
        deadLetter("m-1");

        assertThat(at("sent")).hasSize(1);
        assertThat(at("deleted")).hasSize(3);
    }

    @Test
    void aCopyThatFailsIsNeitherRememberedNorFollowedByTheDelete() {
        sendFailure = new IllegalStateException("SQS is down");
        assertThat(deadLetter("m-1").getException()).isSameAs(sendFailure);
        assertThat(at("deleted")).isEmpty();

        sendFailure = null;
        deadLetter("m-1");
        assertThat(at("sent")).hasSize(1);
        assertThat(at("deleted")).hasSize(1);
    }
}
