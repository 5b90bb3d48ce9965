package com.finedge.once.adapter.json;

import static com.finedge.once.adapter.json.StrictJson.MAX_BODY_BYTES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidBodies;
import com.finedge.once.contract.InvalidBodies.InvalidBody;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.ValidBodies;
import com.finedge.once.contract.ValidBodies.ValidBody;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChargeDueEventJsonTest {

    private static final String BASE = "{\"schemaVersion\":1,\"eventId\":\"e-0001\",\"chargeId\":\"CHG-1001\","
            + "\"accountId\":\"ACC-42\",\"chargeType\":\"SMS_ALERT_FEE\",\"amount\":\"19.90\",\"currency\":\"EUR\","
            + "\"dueAt\":\"2026-03-01T00:00:00Z\",\"occurredAt\":\"2026-03-01T10:00:00Z\"}";

    private static final String SIGNIFICANT = "0123456789abcXYZ\"\\{}[]:,.-+eE \n";

    private final ChargeDueEventJson json = new ChargeDueEventJson();

    static List<ValidBody> validBodies() {
        return ValidBodies.all();
    }

    static List<InvalidBody> invalidBodies() {
        return InvalidBodies.all();
    }

    @ParameterizedTest
    @MethodSource("validBodies")
    void aValidBodyIsReadToTheDigit(ValidBody valid) {
        assertThat(json.read(valid.body())).isEqualTo(valid.event());
    }

    @ParameterizedTest
    @MethodSource("validBodies")
    void aValidBodyIsTheSameEventAfterAPassThroughATree(ValidBody valid) throws Exception {
        assertThat(json.read(throughATree(valid.body()))).isEqualTo(valid.event());
    }

    @ParameterizedTest
    @MethodSource("invalidBodies")
    void anInvalidBodyIsRefusedForItsReason(InvalidBody invalid) {
        if (invalid.isReadable()) {
            assertThat(json.read(invalid.body())).isNotNull();
        } else {
            assertThat(refused(invalid.body()).code()).isEqualTo(invalid.code());
        }
    }

    @Test
    void aWrongAmountStaysWrongAfterAPassThroughATree() throws Exception {
        for (InvalidBody invalid : invalidBodies()) {
            if (invalid.name().startsWith("C31")) {
                assertThat(refused(throughATree(invalid.body())).code())
                        .as(invalid.name())
                        .isEqualTo(invalid.code());
            }
        }
    }

    @Test
    void aQueueAcceptsEveryBodyOfTheCases() {
        Stream.concat(
                        validBodies().stream().map(ValidBody::body),
                        invalidBodies().stream().map(InvalidBody::body))
                .forEach(body -> assertThat(body)
                        .hasSizeBetween(1, 10_000)
                        .matches("[\\x{9}\\x{A}\\x{D}\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]+"));
        assertThat(invalidBodies()).extracting(InvalidBody::name).doesNotHaveDuplicates();
        assertThat(invalidBodies()).extracting(InvalidBody::body).doesNotHaveDuplicates();
        assertThat(validBodies()).extracting(ValidBody::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("invalidBodies")
    void aRefusalQuotesNothingOfTheMessage(InvalidBody invalid) {
        if (!invalid.isReadable()) {
            InvalidMessageException refusal = refused(invalid.body());

            assertThat(refusal).hasNoCause();
            for (String value : valuesOf(invalid.body())) {
                assertThat(refusal.getMessage()).doesNotContain(value);
            }
        }
    }

    @Test
    void aRefusalQuotesNoUnknownNameNorAnyText() {
        for (String secret : List.of(
                "{\"DE89370400440532013000\":1,\"DE89370400440532013000\":2}",
                "{\"a\":DE89370400440532013000}",
                "{\"a\":\"DE89370400440532013000",
                "DE89370400440532013000",
                BASE + "DE89370400440532013000")) {
            assertThat(refused(secret)).hasNoCause().hasMessageNotContainingAny("DE89", "3000", "0532");
        }
    }

    @Test
    void aRefusalOfTheTextNamesThePlace() {
        assertThat(refused("{\n  \"schemaVersion\": 1,\n  oops}")).hasMessageContaining("line 3, column");
    }

    @Test
    void theVersionIsJudgedBeforeAnyOtherField() {
        String otherFieldsBroken = "{\"amount\":19.90,\"eventId\":{},\"dueAt\":1772359200,\"schemaVersion\":%s}";

        assertThat(refused(otherFieldsBroken.formatted("2")).code()).isEqualTo(Code.UNSUPPORTED_VERSION);
        assertThat(refused(otherFieldsBroken.formatted("4294967297")).code()).isEqualTo(Code.UNSUPPORTED_VERSION);
        assertThat(refused(otherFieldsBroken.formatted("null")).field()).contains("schemaVersion");
        assertThat(refused(otherFieldsBroken.formatted("1.0")).field()).contains("schemaVersion");
        assertThat(refused(otherFieldsBroken.formatted("true")).field()).contains("schemaVersion");
    }

    @Test
    void aNotificationMustBeComplete() {
        String complete = "{\"Type\":\"Notification\",\"MessageId\":\"m\",\"TopicArn\":\"t\",\"Message\":\"{}\"}";

        assertThat(refused(complete).code()).isEqualTo(Code.MISSING_FIELD);
        for (String part : List.of("\"Notification\"", "\"m\"", "\"t\"", "\"{}\"")) {
            assertThat(refused(complete.replace(part, "null")).code()).isEqualTo(Code.SNS_ENVELOPE);
            assertThat(refused(complete.replace(part, "{\"a\":1}")).code()).isEqualTo(Code.SNS_ENVELOPE);
        }
    }

    @Test
    void aFieldGivenTwiceIsRefusedAtEveryDepth() {
        assertThat(refused(withExtra("\"chargeId\":\"CHG-1001\"")).code()).isEqualTo(Code.DUPLICATE_FIELD);
        assertThat(refused(withExtra("\"charge\\u0049d\":\"CHG-1001\"")).code()).isEqualTo(Code.DUPLICATE_FIELD);
        assertThat(refused(withExtra("\"a\":1,\"a\":2")).code()).isEqualTo(Code.DUPLICATE_FIELD);
        assertThat(refused(withExtra("\"a\":[{\"b\":1,\"b\":1}]")).code()).isEqualTo(Code.DUPLICATE_FIELD);
    }

    @Test
    void aBodyIsReadUpToTheLimitInBytes() {
        String fullOfBlanks = BASE + " ".repeat(MAX_BODY_BYTES - BASE.length());
        int overhead = withExtra("\"note\":\"\"").length();
        String fullOfUmlauts = withExtra("\"note\":\"" + "ü".repeat((MAX_BODY_BYTES - overhead) / 2) + "\"");
        String oneUmlautMore = withExtra("\"note\":\"" + "ü".repeat((MAX_BODY_BYTES - overhead) / 2 + 1) + "\"");

        assertThat(json.read(fullOfBlanks).chargeId()).isEqualTo("CHG-1001");
        assertThat(fullOfUmlauts.getBytes(UTF_8)).hasSizeBetween(MAX_BODY_BYTES - 1, MAX_BODY_BYTES);
        assertThat(json.read(fullOfUmlauts).chargeId()).isEqualTo("CHG-1001");
        assertThat(refused(fullOfBlanks + " ").code()).isEqualTo(Code.TOO_LARGE);
        assertThat(refused(oneUmlautMore).code()).isEqualTo(Code.TOO_LARGE);
    }

    static Stream<Arguments> bombs() {
        return Stream.of(
                Arguments.of("arrays in arrays", withExtra("\"a\":" + full(i -> "[")), Code.TOO_LARGE),
                Arguments.of("only arrays", full(i -> "["), Code.WRONG_TYPE),
                Arguments.of("objects in objects", full(i -> "{\"a\":"), Code.TOO_LARGE),
                Arguments.of("long integer", withExtra("\"a\":" + full(i -> "9")), Code.TOO_LARGE),
                Arguments.of("long fraction", withExtra("\"a\":0." + full(i -> "9")), Code.TOO_LARGE),
                Arguments.of("long exponent", withExtra("\"a\":1e" + full(i -> "9")), Code.TOO_LARGE),
                Arguments.of("long version", BASE.replace(":1,", ":" + full(i -> "1") + ","), Code.TOO_LARGE),
                Arguments.of("long amount", BASE.replace("19.90", full(i -> "9")), Code.INVALID_VALUE),
                Arguments.of("long decimals", BASE.replace("19.90", "1." + full(i -> "9")), Code.INVALID_VALUE),
                Arguments.of("long key", BASE.replace("CHG-1001", full(i -> "C")), Code.INVALID_VALUE),
                Arguments.of("long time", BASE.replace("10:00:00Z", "10:00:00." + full(i -> "0")), Code.INVALID_VALUE),
                Arguments.of("long name", withExtra("\"" + full(i -> "n") + "\":1"), Code.TOO_LARGE),
                Arguments.of("names", withExtra(full(i -> "\"" + i + "\":0,") + "\"a\":0"), Code.TOO_LARGE),
                Arguments.of("colliding names", withExtra(full(i -> colliding(i) + ":0,") + "\"a\":0"), Code.TOO_LARGE),
                Arguments.of("equal names", withExtra(full(i -> "\"a\":0,") + "\"a\":0"), Code.DUPLICATE_FIELD),
                Arguments.of("array of numbers", withExtra("\"a\":[" + full(i -> "0,") + "0]"), Code.TOO_LARGE),
                Arguments.of("escaped quotes", full(i -> "\\\""), Code.NOT_JSON),
                Arguments.of(
                        "depth in an SNS notification",
                        "{\"Type\":\"Notification\",\"MessageId\":\"m\",\"TopicArn\":\"t\",\"Message\":\"{\\\"a\\\":"
                                + full(i -> "[") + "\"}",
                        Code.TOO_LARGE),
                Arguments.of("over the limit", " ".repeat(50_000_000), Code.TOO_LARGE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void aBombIsRefusedAtOnce(String name, String body, Code code) {
        // The bound is far above the milliseconds that a refusal takes and far below what a bomb would.
        InvalidMessageException refusal = assertTimeoutPreemptively(Duration.ofSeconds(2), () -> refused(body));

        assertThat(refusal.code()).as(name).isEqualTo(code);
    }

    @Test
    void theCanonicalTextIsStable() {
        assertThat(json.write(json.read(" " + BASE.replace("19.90", "19.9").replace(":00Z", ":00.000+00:00") + " ")))
                .isEqualTo(BASE);
    }

    @Test
    void everyEventThatIsWrittenIsReadBackEqual() {
        Random random = new Random(20260301);
        for (int i = 0; i < 5_000; i++) {
            ChargeDueEvent event = randomEvent(random);

            assertThat(json.read(json.write(event))).isEqualTo(event);
        }
    }

    @Test
    void aChangedCharacterMakesAnotherEventOrARefusalAndNothingElse() {
        Random random = new Random(42);
        String base = withExtra("\"note\":{\"a\":[1,-2.5e3,true,null,\"\\u00e9\\n\"]}");
        int refusals = 0;
        for (int i = 0; i < 100_000; i++) {
            String mutant = mutated(base, random);
            try {
                ChargeDueEvent event = json.read(mutant);
                assertThat(json.read(json.write(event))).as(mutant).isEqualTo(event);
            } catch (InvalidMessageException refusal) {
                refusals++;
                assertThat(refusal).as(mutant).hasNoCause().hasMessageNotContainingAny("CHG-", "ACC-", "19.9", "2026");
            }
        }
        // Both ways must have been gone, or the loop has shown nothing.
        assertThat(refusals).isBetween(10_000, 90_000);
    }

    @Test
    void aCutBodyIsNeverAnEvent() {
        for (int length = 0; length < BASE.length(); length++) {
            assertThat(refused(BASE.substring(0, length)).code()).isEqualTo(Code.NOT_JSON);
        }
    }

    private InvalidMessageException refused(String body) {
        @Nullable
        InvalidMessageException refusal = catchThrowableOfType(InvalidMessageException.class, () -> json.read(body));
        assertThat(refusal).as("refusal").isNotNull();
        return refusal;
    }

    private static String withExtra(String fields) {
        return BASE.substring(0, BASE.length() - 1) + "," + fields + "}";
    }

    /** Repeats the piece until the body is nearly as long as it may be. */
    private static String full(IntFunction<String> piece) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < MAX_BODY_BYTES - 1_000; i++) {
            text.append(piece.apply(i));
        }
        return text.toString();
    }

    /** Names of one length that differ and share one hash code, as "Aa" and "BB" do. */
    private static String colliding(int number) {
        return IntStream.range(0, 16)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static String throughATree(String body) throws Exception {
        JsonMapper mapper = JsonMapper.builder().build();
        return mapper.writeValueAsString(mapper.readTree(body));
    }

    /** The values of a message that would show if they were quoted, the words of the contract itself left out. */
    private static List<String> valuesOf(String body) {
        List<String> values = new ArrayList<>();
        try {
            collect(JsonMapper.builder().build().readTree(body), values);
        } catch (Exception notJson) {
            values.add(body);
        }
        values.removeIf(value -> value.isBlank() || value.length() < 4);
        return values;
    }

    private static void collect(JsonNode node, List<String> values) {
        if (node.isValueNode()) {
            values.add(node.asText());
        } else {
            node.forEach(child -> collect(child, values));
        }
    }

    private static String mutated(String body, Random random) {
        int at = random.nextInt(body.length());
        char c = switch (random.nextInt(4)) {
            case 0 -> (char) random.nextInt(0x10000);
            case 1 -> (char) random.nextInt(0x80);
            case 2 -> body.charAt(random.nextInt(body.length()));
            default -> SIGNIFICANT.charAt(random.nextInt(SIGNIFICANT.length()));
        };
        return switch (random.nextInt(3)) {
            case 0 -> body.substring(0, at) + c + body.substring(at + 1);
            case 1 -> body.substring(0, at) + c + body.substring(at);
            default -> body.substring(0, at) + body.substring(at + 1);
        };
    }

    private static ChargeDueEvent randomEvent(Random random) {
        List<Currency> currencies = Currency.getAvailableCurrencies().stream()
                .filter(currency -> currency.getDefaultFractionDigits() >= 0)
                .toList();
        Currency currency = currencies.get(random.nextInt(currencies.size()));
        String whole = Long.toString(random.nextLong(1, 1L << random.nextInt(1, 60)));
        int decimals = random.nextInt(currency.getDefaultFractionDigits() + 1);
        String amount = decimals == 0 ? whole : whole + "." + text(random, "0123456789", decimals);
        return new ChargeDueEvent(
                ChargeDueEvent.CURRENT_VERSION,
                key(random),
                key(random),
                key(random),
                "T" + text(random, "ABCXYZ0189_", random.nextInt(64)),
                amount,
                currency.getCurrencyCode(),
                instant(random),
                instant(random));
    }

    private static String key(Random random) {
        return text(random, "0123456789", 1) + text(random, "ABCXYZabcxyz0189._:-", random.nextInt(128));
    }

    private static Instant instant(Random random) {
        return Instant.ofEpochSecond(random.nextLong(946_684_800L, 4_102_444_800L), random.nextInt(1_000_000_000));
    }

    private static String text(Random random, String characters, int length) {
        return random.ints(length, 0, characters.length())
                .mapToObj(i -> String.valueOf(characters.charAt(i)))
                .collect(Collectors.joining());
    }
}
