package com.finedge.once.order;

import com.finedge.once.charge.Money;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.saga.SagaData;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a command to a participant, each as the type that it must have. */
record Fields(SagaData data) {

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,17})(\\.[0-9]{1,4})?");

    String key(String name) {
        return key(name, data.values().get(name));
    }

    UUID id(String name) {
        String text = text(name, data.values().get(name));
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw invalid(name, "must be a UUID");
        }
    }

    Money money() {
        Currency currency = currency(text("currency", data.values().get("currency")));
        String amount = text("amount", data.values().get("amount"));
        if (!AMOUNT.matcher(amount).matches()) {
            throw invalid("amount", "must be a plain decimal of at most 18 digits before the point");
        }
        try {
            return new Money(new BigDecimal(amount), currency);
        } catch (IllegalArgumentException e) {
            throw invalid("amount", "must be positive and have no more decimals than its currency");
        }
    }

    private static Currency currency(String code) {
        try {
            Currency currency = Currency.getInstance(code);
            if (currency.getDefaultFractionDigits() >= 0) {
                return currency;
            }
        } catch (IllegalArgumentException unknown) {
            // Falls through to the one refusal.
        }
        throw invalid("currency", "must be the ISO 4217 code of a currency that has fraction digits");
    }

    List<Item> items() {
        if (!(data.values().get("items") instanceof List<?> items) || items.isEmpty()) {
            throw invalid("items", "must be a list of at least one item");
        }
        return items.stream().map(Fields::item).toList();
    }

    private static Item item(Object item) {
        if (!(item instanceof Map<?, ?> fields) || !(fields.get("quantity") instanceof Long quantity) || quantity < 1) {
            throw invalid("items", "each must have a sku and a quantity of at least 1");
        }
        return new Item(key("items", fields.get("sku")), quantity);
    }

    private static String key(String name, @Nullable Object value) {
        String text = text(name, value);
        if (!KEY.matcher(text).matches()) {
            throw invalid(name, "must be 1 to 128 letters, digits and . _ : - that begin with a letter or digit");
        }
        return text;
    }

    private static String text(String name, @Nullable Object value) {
        if (value == null) {
            throw new InvalidMessageException(Code.MISSING_FIELD, name, "is required");
        }
        if (!(value instanceof String text)) {
            throw new InvalidMessageException(Code.WRONG_TYPE, name, "must be a JSON string");
        }
        return text;
    }

    private static InvalidMessageException invalid(String name, String rule) {
        return new InvalidMessageException(Code.INVALID_VALUE, name, rule);
    }
}
