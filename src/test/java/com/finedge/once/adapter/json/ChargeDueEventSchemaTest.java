package com.finedge.once.adapter.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.finedge.once.contract.ChargeDueEvent;
import java.io.IOException;
import java.util.Currency;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The event that announces a charge, and what all messages with an amount have from it. */
class ChargeDueEventSchemaTest extends ChargeSchemaContract {

    /** Came into the JDK after 21; a reader on an older JDK refuses them. */
    private static final Set<String> CURRENCIES_OF_LATER_JDKS = Set.of("XAD", "XCG", "ZWG");

    private static final JsonNode SCHEMA = schema("charge-due-event");

    private final ChargeDueEventJson json = new ChargeDueEventJson();

    ChargeDueEventSchemaTest() {
        super(ChargeDueEvent.class, "charge-due-event");
    }

    @Override
    Record read(String body) {
        return json.read(body);
    }

    @Override
    String rewritten(String body) {
        return json.write(json.read(body));
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
        Set<String> known = Currency.getAvailableCurrencies().stream()
                .map(Currency::getCurrencyCode)
                .collect(Collectors.toSet());
        for (String currency : currencies()) {
            for (String amount : List.of("1", "1.5", "1.25", "1.125", "1.0625", "1.03125")) {
                String body =
                        baseExample().replace("\"EUR\"", "\"" + currency + "\"").replace("19.90", amount);
                if (known.contains(currency)) {
                    assertThat(readerAccepts(body))
                            .as(amount + " " + currency)
                            .isEqualTo(schemaAccepts(MAPPER.readTree(body)));
                }
            }
        }
    }

    /** So what the examples of one message show of a key, a time or an amount holds for all. */
    @Test
    void theOtherSchemasSayTheSameOfTheSameThings() {
        JsonNode recovered = schema("charge-recovered");
        JsonNode failed = schema("charge-failed");

        assertThat(recovered.get("$defs")).isEqualTo(SCHEMA.get("$defs"));
        assertThat(failed.get("$defs")).isEqualTo(SCHEMA.get("$defs"));
        JsonNode order = schema("order-placed");
        for (String pointer : List.of("/properties/amount", "/properties/currency", "/allOf")) {
            assertThat(recovered.at(pointer)).as(pointer).isEqualTo(SCHEMA.at(pointer));
            assertThat(order.at(pointer)).as(pointer).isEqualTo(SCHEMA.at(pointer));
        }
        assertThat(order.at("/$defs/key")).isEqualTo(SCHEMA.at("/$defs/key"));
        for (String saga : List.of("saga-command", "saga-reply", "saga-notice")) {
            for (String definition : List.of("/$defs/key", "/$defs/time")) {
                assertThat(schema(saga).at(definition)).as(saga + definition).isEqualTo(SCHEMA.at(definition));
            }
        }
    }

    private static List<String> currencies() {
        return SCHEMA.at("/properties/currency/enum")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }
}
