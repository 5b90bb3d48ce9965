package com.finedge.once.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What may name a request. */
class IdempotencyKeyTest {

    static Stream<String> keys() {
        return Stream.of("k", "8e03978e-40d5-43dd-bc93-6894a57f9324", "a \"b\" \\c", "nullable", "x".repeat(128));
    }

    static Stream<String> noKeys() {
        return Stream.of(
                "",
                " ",
                "    ",
                "null",
                "NULL",
                "Undefined",
                "none",
                "nil",
                "NaN",
                "\u00e4",
                "a\n",
                "a\u0000",
                "\ud800",
                "x".repeat(129));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aKeyIsKeptAsItIs(String value) {
        assertThat(new IdempotencyKey(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("noKeys")
    void whatIsNoKeyIsRefusedWithoutRepeatingIt(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdempotencyKey(value))
                .withMessage("must be 1 to 128 printable ASCII characters and not a word for no value");
    }
}
