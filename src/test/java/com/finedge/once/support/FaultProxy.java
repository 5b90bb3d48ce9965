package com.finedge.once.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.extension.requestfilter.RequestFilterAction;
import com.github.tomakehurst.wiremock.extension.requestfilter.StubRequestFilterV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stands before an emulator of an AWS service, passes every call on, and lets chosen ones go wrong: {@code
 * proxy.on("UpdateItem").times(1).dropAnswer()}.
 */
public final class FaultProxy implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Above all the connections of an application: a call that waited for a thread would be a fault nobody asked for. */
    private static final int THREADS = 400;

    private static final int STOP_MILLIS = 200;

    private final URI target;
    private final List<Faulty> faults = new CopyOnWriteArrayList<>();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private final int port;
    private WireMockServer server;

    private FaultProxy(URI target) {
        this.target = target;
        this.server = serving(0);
        this.port = server.port();
    }

    /** Passes on to that server from a free port of 127.0.0.1. */
    public static FaultProxy before(URI target) {
        return new FaultProxy(target);
    }

    private WireMockServer serving(int onPort) {
        WireMockServer started = new WireMockServer(WireMockConfiguration.options()
                .bindAddress("127.0.0.1")
                .port(onPort)
                .containerThreads(THREADS)
                .maxHttpClientConnections(THREADS)
                .jettyStopTimeout((long) STOP_MILLIS)
                .disableRequestJournal()
                .gzipDisabled(true)
                .extensions(new BeforeTheCall(), new AfterTheCall()));
        started.start();
        started.stubFor(
                WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse().proxiedFrom(target.toString())));
        return started;
    }

    /** What the application is given in place of the emulator. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The calls of that operation, as {@code X-Amz-Target} names it. */
    public Choice on(String operation) {
        return new Choice(operation);
    }

    /** All calls. */
    public Choice onEverything() {
        return new Choice("");
    }

    /** Lets somebody see every call before the server does, and every answer before the application does. */
    public void watchedBy(Watcher watcher) {
        watchers.add(watcher);
    }

    /** Sees calls and answers go by. */
    public interface Watcher {

        /** The operation was called with this body; it is carried out when this returns. */
        void called(String operation, String body);

        /** The server answered the operation with this body. */
        void answered(String operation, String body);
    }

    private static String operation(Request request) {
        String target = request.getHeader("X-Amz-Target");
        return target == null ? "" : target.substring(target.lastIndexOf('.') + 1);
    }

    /** Refuses connections until {@link #acceptConnections()}, and breaks those that there are. */
    public void refuseConnections() {
        server.stop();
    }

    /** Takes calls again, on the same port. */
    public void acceptConnections() {
        server = serving(port);
    }

    @Override
    public void close() {
        faults.forEach(Faulty::end);
        server.stop();
    }

    private @Nullable Faulty next(Request request, @Nullable Response answer) {
        for (Faulty fault : faults) {
            if (fault.befalls(request, answer)) {
                return fault;
            }
        }
        return null;
    }

    /** Chooses calls, and what befalls them. */
    public final class Choice {

        private final String operation;
        private String inBody = "";
        private String inAnswer = "";
        private int times = Integer.MAX_VALUE;
        private int percent = 100;

        private Choice(String operation) {
            this.operation = operation;
        }

        /** Only those with this text in their body. */
        public Choice with(String text) {
            inBody = text;
            return this;
        }

        /** Only those whose answer has this text in its body; for what befalls answers. */
        public Choice answeredWith(String text) {
            inAnswer = text;
            return this;
        }

        /** Only the next so many. */
        public Choice times(int calls) {
            times = calls;
            return this;
        }

        /** Only this share of them, by chance. */
        public Choice percent(int share) {
            percent = share;
            return this;
        }

        /** The server carries the call out, and its answer is lost. */
        public Faulty dropAnswer() {
            return after(answer -> Response.Builder.like(answer)
                    .but()
                    .fault(Fault.EMPTY_RESPONSE)
                    .build());
        }

        /** The call never reaches the server, which would have answered with this error. */
        public Faulty answer(int status, String code) {
            String body = JSON.createObjectNode()
                    .put("__type", "com.amazonaws#" + code)
                    .put("message", "as the test wants it")
                    .toString();
            return before(WireMock.aResponse()
                    .withStatus(status)
                    .withHeader("Content-Type", "application/x-amz-json-1.0")
                    .withHeader("x-amzn-ErrorType", code)
                    .withBody(body));
        }

        /** DynamoDB has had too many calls. */
        public Faulty throttle() {
            return answer(400, "ProvisionedThroughputExceededException");
        }

        /** The call is held so long, and then passed on. */
        public Faulty delay(Duration time) {
            Faulty fault = new Faulty(this, null, UnaryOperator.identity(), true, time);
            faults.add(fault);
            return fault;
        }

        /** The call never reaches the server, and no answer comes until this is ended. */
        public Faulty swallow() {
            Faulty fault = new Faulty(
                    this,
                    WireMock.aResponse().withFault(Fault.EMPTY_RESPONSE).build(),
                    UnaryOperator.identity(),
                    true,
                    Duration.ofDays(1));
            faults.add(fault);
            return fault;
        }

        /** A batch is carried out, and answered as if its first entry had failed. */
        public Faulty failFirstEntry() {
            return failEntry(0, false);
        }

        /** A batch is carried out, and answered as if that entry, counted from 0, had failed. */
        public Faulty failEntry(int entry, boolean sendersFault) {
            return after(answer -> withBody(
                    answer,
                    withoutEntry(
                            answer.getBodyAsString(),
                            entry,
                            (batch, id) -> batch.withArray("Failed")
                                    .addObject()
                                    .put("Id", id)
                                    .put("SenderFault", sendersFault)
                                    .put("Code", "InternalError"))));
        }

        /** A batch is carried out, and its answer doesn't mention that entry, counted from 0. */
        public Faulty omitEntry(int entry) {
            return after(answer -> withBody(answer, withoutEntry(answer.getBodyAsString(), entry, (batch, id) -> {})));
        }

        /** The server carries the call out, and its answer is held so long. */
        public Faulty delayAnswer(Duration time) {
            Faulty fault = new Faulty(this, null, UnaryOperator.identity(), false, time);
            faults.add(fault);
            return fault;
        }

        private Faulty before(ResponseDefinitionBuilder answer) {
            Faulty fault = new Faulty(this, answer.build(), UnaryOperator.identity(), true, Duration.ZERO);
            faults.add(fault);
            return fault;
        }

        private Faulty after(UnaryOperator<Response> change) {
            Faulty fault = new Faulty(this, null, change, false, Duration.ZERO);
            faults.add(fault);
            return fault;
        }
    }

    private static Response withBody(Response answer, String body) {
        return Response.Builder.like(answer).but().body(body).build();
    }

    private static String withoutEntry(String answer, int entry, BiConsumer<ObjectNode, String> instead) {
        try {
            ObjectNode batch = (ObjectNode) JSON.readTree(answer);
            ArrayNode successful = (ArrayNode) batch.get("Successful");
            instead.accept(batch, successful.remove(entry).get("Id").asText());
            return batch.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not the answer to a batch: " + answer, e);
        }
    }

    /** One thing that goes wrong, until it has done so often enough or is ended. */
    public static final class Faulty {

        private final Choice calls;
        private final @Nullable ResponseDefinition instead;
        private final UnaryOperator<Response> change;
        private final boolean before;
        private final Duration held;
        private final AtomicInteger hits = new AtomicInteger();
        private final CountDownLatch ended = new CountDownLatch(1);

        private Faulty(
                Choice calls,
                @Nullable ResponseDefinition instead,
                UnaryOperator<Response> change,
                boolean before,
                Duration held) {
            this.calls = calls;
            this.instead = instead;
            this.change = change;
            this.before = before;
            this.held = held;
        }

        private boolean befalls(Request request, @Nullable Response answer) {
            if (ended.getCount() == 0
                    || before != (answer == null)
                    || !isOperation(request)
                    || !request.getBodyAsString().contains(calls.inBody)
                    || (answer != null && !answer.getBodyAsString().contains(calls.inAnswer))
                    || ThreadLocalRandom.current().nextInt(100) >= calls.percent) {
                return false;
            }
            // Counted no further than to the last one, so that hits() never says more than what happened.
            return hits.getAndUpdate(count -> Math.min(count + 1, calls.times)) < calls.times;
        }

        private boolean isOperation(Request request) {
            return calls.operation.isEmpty() || calls.operation.equals(operation(request));
        }

        private void hold() {
            try {
                ended.await(held.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** How many calls it has befallen. */
        public int hits() {
            return hits.get();
        }

        /** Lets all go well again; calls that are held go on. */
        public void end() {
            ended.countDown();
        }
    }

    private final class BeforeTheCall implements StubRequestFilterV2 {

        @Override
        public RequestFilterAction filter(Request request, ServeEvent event) {
            watchers.forEach(watcher -> watcher.called(operation(request), request.getBodyAsString()));
            Faulty fault = next(request, null);
            if (fault == null) {
                return RequestFilterAction.continueWith(request);
            }
            fault.hold();
            return fault.instead == null
                    ? RequestFilterAction.continueWith(request)
                    : RequestFilterAction.stopWith(fault.instead);
        }

        @Override
        public String getName() {
            return "before-the-call";
        }
    }

    private final class AfterTheCall implements ResponseTransformerV2 {

        @Override
        public Response transform(Response answer, ServeEvent event) {
            watchers.forEach(watcher -> watcher.answered(operation(event.getRequest()), answer.getBodyAsString()));
            Faulty fault = next(event.getRequest(), answer);
            if (fault == null) {
                return answer;
            }
            fault.hold();
            return fault.change.apply(answer);
        }

        @Override
        public String getName() {
            return "after-the-call";
        }
    }
}
