package com.finedge.once.adapter.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema and the reader judge every example alike. */
class ChargeDueEventSchemaTest {

    private static final Path EXAMPLES = Path.of("src/test/resources/contract/charge-due-event");

    /** Came into the JDK after 21; a reader on an older JDK refuses them. */
    private static final Set<String> CURRENCIES_OF_LATER_JDKS = Set.of("XAD", "XCG", "ZWG");

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();
    private static final JsonNode SCHEMA = tree("src/main/resources/contract/charge-due-event.v1.schema.json");
    private static final JsonSchema VALIDATOR = JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(
                    SCHEMA,
                    SchemaValidatorsConfig.builder()
                            .formatAssertionsEnabled(true)
                            .build());

    private final ChargeDueEventJson json = new ChargeDueEventJson();

    static List<Path> valid() throws IOException {
        return examples("valid");
    }

    static List<Path> validBeyondSchema() throws IOException {
        return examples("valid/beyond-schema");
    }

    static List<Path> invalid() throws IOException {
        return examples("invalid");
    }

    static List<Path> invalidBeyondSchema() throws IOException {
        return examples("invalid/beyond-schema");
    }

    @ParameterizedTest
    @MethodSource("valid")
    void bothAcceptAValidExample(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(VALIDATOR.validate(MAPPER.readTree(body))).isEmpty();
        assertThat(VALIDATOR.validate(MAPPER.readTree(json.write(json.read(body)))))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void bothRefuseAnInvalidExample(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(VALIDATOR.validate(MAPPER.readTree(body))).isNotEmpty();
        assertThatThrownBy(() -> json.read(body)).isInstanceOf(InvalidMessageException.class);
    }

    @ParameterizedTest
    @MethodSource("validBeyondSchema")
    void theReaderAloneAcceptsWhatItUnwraps(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(VALIDATOR.validate(MAPPER.readTree(body))).isNotEmpty();
        assertThat(json.read(body).chargeId()).isEqualTo("CHG-1001");
    }

    @ParameterizedTest
    @MethodSource("invalidBeyondSchema")
    void theReaderAloneRefusesWhatASchemaCannotSee(Path example) throws IOException {
        String body = Files.readString(example);

        // Whatever the schema does refuse belongs to the examples that both must refuse.
        assertThat(asALenientParserSeesIt(body))
                .allSatisfy(document -> assertThat(VALIDATOR.validate(document)).isEmpty());
        assertThatThrownBy(() -> json.read(body)).isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void theSchemaHasTheFieldsOfTheRecordAndRequiresThem() {
        List<String> components = Arrays.stream(ChargeDueEvent.class.getRecordComponents())
                .map(component -> component.getName())
                .toList();

        assertThat(SCHEMA.get("properties").fieldNames()).toIterable().containsExactlyElementsOf(components);
        assertThat(SCHEMA.get("required")).extracting(JsonNode::asText).containsExactlyElementsOf(components);
        assertThat(SCHEMA.at("/properties/schemaVersion/const").intValue()).isEqualTo(ChargeDueEvent.CURRENT_VERSION);
    }

    @Test
    void theSchemaHasTheCurrenciesOfTheJdk() {
        Set<String> known = Currency.getAvailableCurrencies().stream()
                .filter(currency -> currency.getDefaultFractionDigits() >= 0)
                .map(Currency::getCurrencyCode)
                .collect(Collectors.toCollection(TreeSet::new));
        known.addAll(CURRENCIES_OF_LATER_JDKS);

        assertThat(currencies()).containsExactlyElementsOf(known);
    }

    @Test
    void bothAgreeOnTheDecimalsOfEveryCurrency() throws IOException {
        String base = Files.readString(EXAMPLES.resolve("valid/base.json"));
        Set<String> known = Currency.getAvailableCurrencies().stream()
                .map(Currency::getCurrencyCode)
                .collect(Collectors.toSet());
        for (String currency : currencies()) {
            for (String amount : List.of("1", "1.5", "1.25", "1.125", "1.0625", "1.03125")) {
                String body = base.replace("\"EUR\"", "\"" + currency + "\"").replace("19.90", amount);
                boolean schemaAccepts =
                        VALIDATOR.validate(MAPPER.readTree(body)).isEmpty();
                if (known.contains(currency)) {
                    assertThat(readerAccepts(body)).as(amount + " " + currency).isEqualTo(schemaAccepts);
                }
            }
        }
    }

    private boolean readerAccepts(String body) {
        try {
            json.read(body);
            return true;
        } catch (InvalidMessageException refused) {
            return false;
        }
    }

    private static List<String> currencies() {
        return SCHEMA.at("/properties/currency/enum")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    /** The first document of the text, or nothing where it is none even for a lenient parser. */
    private static List<JsonNode> asALenientParserSeesIt(String body) {
        try {
            JsonNode document = MAPPER.readTree(body.startsWith("\uFEFF") ? body.substring(1) : body);
            return document.isMissingNode() ? List.of() : List.of(document);
        } catch (IOException notJson) {
            return List.of();
        }
    }

    private static List<Path> examples(String directory) throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES.resolve(directory))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static JsonNode tree(String file) {
        try {
            return MAPPER.readTree(Path.of(file).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
