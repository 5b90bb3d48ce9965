package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.finedge.once.saga.Expressions.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every implementation of {@link Expressions} answers. */
public abstract class ExpressionsContract {

    private static final Scope SCOPE = new Scope(
            new SagaData(Map.of(
                    "orderId",
                    "O-1",
                    "amount",
                    "19.90",
                    "count",
                    2,
                    "items",
                    List.of(Map.of("sku", "S-1", "quantity", 3)),
                    "address",
                    Map.of("city", "Ulm", "empty", Map.of()),
                    "text",
                    "${saga.id} $simple{sys.user.home}")),
            new SagaData(Map.of("id", "the-id")),
            new SagaData(Map.of("orderId", "of the reply")));

    protected abstract Expressions expressions();

    @Test
    void aSinglePlaceholderKeepsItsKind() {
        assertThat(expressions().evaluate("${data.orderId}", SCOPE)).isEqualTo("O-1");
        assertThat(expressions().evaluate("${data.count}", SCOPE)).isEqualTo(2L);
        assertThat(expressions().evaluate("${data.items}", SCOPE))
                .isEqualTo(List.of(Map.of("sku", "S-1", "quantity", 3L)));
        assertThat(expressions().evaluate("${data.address.city}", SCOPE)).isEqualTo("Ulm");
        assertThat(expressions().evaluate("${data.address.empty}", SCOPE)).isEqualTo(Map.of());
    }

    @Test
    void eachRootIsItsOwn() {
        assertThat(expressions().evaluate("${saga.id}", SCOPE)).isEqualTo("the-id");
        assertThat(expressions().evaluate("${reply.orderId}", SCOPE)).isEqualTo("of the reply");
        assertThat(expressions().evaluate("${data.id}", SCOPE)).isNull();
    }

    @Test
    void textAroundPlaceholdersStandsForItself() {
        assertThat(expressions().evaluate("order ${data.orderId}: ${data.amount} ?: ~> 'x' == \"y\"", SCOPE))
                .isEqualTo("order O-1: 19.90 ?: ~> 'x' == \"y\"");
        assertThat(expressions().evaluate("bean:x?method=y", SCOPE)).isEqualTo("bean:x?method=y");
        assertThat(expressions().evaluate("resource:classpath:application.yaml", SCOPE))
                .isEqualTo("resource:classpath:application.yaml");
    }

    @Test
    void aValueIsNeverEvaluated() {
        assertThat(expressions().evaluate("${data.text}", SCOPE)).isEqualTo("${saga.id} $simple{sys.user.home}");
        assertThat(expressions().evaluate("-${data.text}", SCOPE)).isEqualTo("-${saga.id} $simple{sys.user.home}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${data.nothing}",
                "${data.orderId.length}",
                "${data.address.street}",
                "order ${data.nothing}",
                // Names that an object has and a map of values doesn't.
                "${data.class}",
                "${data.class.name}",
                "${data.size}",
                "${data.keySet}",
                "${data.items.size}",
                "${data.items.last}",
                "${data.address.toString}",
                "${data.hashCode}"
            })
    void whatIsNotThereHasNoValue(String expression) {
        assertThat(expressions().evaluate(expression, SCOPE)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${body}",
                "${body.orderId}",
                "${data}",
                "${data.}",
                "${data..a}",
                "${data[orderId]}",
                "${data.orderId()}",
                "${data.items[0]}",
                "${data?.orderId}",
                "${ data.orderId }",
                "${DATA.orderId}",
                "${dataorderId}",
                "${bean:steps?method=run}",
                "${bean:steps}",
                "${ref:steps}",
                "${script:groovy:1}",
                "${groovy:1}",
                "${sys.user.home}",
                "${env.PATH}",
                "${exchange}",
                "${camelContext.stop}",
                "${header.a}",
                "${variable.data}",
                "${properties:a}",
                "${type:java.lang.Runtime}",
                "${file:name}",
                "${random(1,2)}",
                "${date:now}",
                "${data.${data.orderId}}",
                "$simple{data.orderId}",
                "$init{ $a := 'x' }init$",
                "$data",
                "$",
                "${data.orderId",
                "${data.orderId}$",
                "$${data.orderId}",
                "{{secret}} $"
            })
    void nothingElseIsUnderstood(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> expressions().evaluate(expression, SCOPE))
                .withMessageContaining("only ${data.name}");
    }
}
