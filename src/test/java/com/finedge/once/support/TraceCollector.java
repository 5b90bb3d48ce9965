package com.finedge.once.support;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Takes spans over OTLP/HTTP on a free port of 127.0.0.1, as a collector does. */
public final class TraceCollector implements AutoCloseable {

    private static final String PATH = "/v1/traces";

    private final WireMockServer server =
            new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));

    private TraceCollector() {
        server.start();
        server.stubFor(
                WireMock.post(PATH).willReturn(WireMock.ok().withHeader("Content-Type", "application/x-protobuf")));
    }

    /** Starts one. */
    public static TraceCollector start() {
        return new TraceCollector();
    }

    /** Where spans are sent to. */
    public String endpoint() {
        return server.baseUrl() + PATH;
    }

    private Stream<byte[]> requests() {
        return server.findAll(WireMock.postRequestedFor(WireMock.urlEqualTo(PATH))).stream()
                .map(request -> request.getBody());
    }

    /** All that was sent, with whatever text there is in it. */
    public String text() {
        return String.join(
                "\n",
                requests()
                        .map(body -> new String(body, StandardCharsets.ISO_8859_1))
                        .toList());
    }

    /** The spans of a trace, as far as they have come. */
    public List<Span> spans(String traceId) {
        return spans().stream()
                .filter(span -> hex(span.getTraceId()).equals(traceId))
                .toList();
    }

    /** All spans that have come. */
    public List<Span> spans() {
        return requests()
                .map(TraceCollector::read)
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    private static ExportTraceServiceRequest read(byte[] body) {
        try {
            return ExportTraceServiceRequest.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("what came is no export of spans", e);
        }
    }

    /** An id as traceparent and logs have it. */
    public static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    /** The attribute of that name, as text; empty where the span has none. */
    public static String attribute(Span span, String name) {
        return span.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals(name))
                .map(attribute -> attribute.getValue().hasIntValue()
                        ? Long.toString(attribute.getValue().getIntValue())
                        : attribute.getValue().getStringValue())
                .findAny()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop();
    }
}
