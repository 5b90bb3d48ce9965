package com.finedge.once.adapter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.ErrorResponseException;

/** The header as the draft writes it, and as many clients do. */
class IdempotencyKeyHeaderTest {

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
                Arguments.of("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
                Arguments.of("\"month end, 1; a=b\"", "month end, 1; a=b"),
                Arguments.of("\"a\\\"b\\\\c\"", "a\"b\\c"),
                Arguments.of("  \"k\"  ", "k"),
                Arguments.of("\"" + "x".repeat(128) + "\"", "x".repeat(128)),
                Arguments.of("2026/03:CHG_1.a+b=~", "2026/03:CHG_1.a+b=~"));
    }

    static Stream<List<String>> malformed() {
        return Stream.of(
                        "",
                        "\"\"",
                        "\"",
                        "\"open",
                        "\"a\"b\"",
                        "\"a\\b\"",
                        "\"a\";q=1",
                        "\"a\", \"b\"",
                        "a, b",
                        "a b",
                        "\"\u00e4\"",
                        "\"a\u0000\"",
                        "\ud800",
                        "\"null\"",
                        "undefined",
                        "\"   \"",
                        "?1",
                        ":YQ==:",
                        "\"" + "x".repeat(129) + "\"")
                .map(List::of);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aQuotedStringOrABareValueIsAKey(String header, String key) {
        assertThat(IdempotencyKeyHeader.read(List.of(header)).value()).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void anythingElseIsMalformed(List<String> header) {
        assertRefused(header, Problem.IDEMPOTENCY_KEY_MALFORMED);
    }

    @Test
    void twoHeadersAreMalformed() {
        assertRefused(List.of("\"a\"", "\"a\""), Problem.IDEMPOTENCY_KEY_MALFORMED);
    }

    @Test
    void noneIsMissing() {
        assertRefused(List.of(), Problem.IDEMPOTENCY_KEY_MISSING);
    }

    private static void assertRefused(List<String> header, Problem problem) {
        assertThatExceptionOfType(ErrorResponseException.class)
                .isThrownBy(() -> IdempotencyKeyHeader.read(header))
                .matches(refused -> problem.type().equals(refused.getBody().getType()));
    }
}
