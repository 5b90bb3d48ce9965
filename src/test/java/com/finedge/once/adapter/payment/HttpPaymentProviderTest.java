package com.finedge.once.adapter.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.jsonPath;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.method;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withException;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withStatus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.charge.Money;
import com.finedge.once.order.PaymentProvider.Charge;
import com.finedge.once.order.PaymentProvider.Refund;
import com.finedge.once.order.UncertainPaymentException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.Currency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.client.ResponseCreator;
import org.springframework.web.client.RestClient;

class HttpPaymentProviderTest {

    private final RestClient.Builder http = RestClient.builder().baseUrl("http://provider");
    private final MockRestServiceServer provider =
            MockRestServiceServer.bindTo(http).build();
    private final HttpPaymentProvider payments = new HttpPaymentProvider(http.build(), new ObjectMapper());

    private Charge charge(ResponseCreator answer) {
        provider.expect(requestTo("http://provider/payments"))
                .andExpect(method(HttpMethod.POST))
                .andExpect(header("Idempotency-Key", "K-1"))
                .andExpect(jsonPath("$.orderId").value("O-1"))
                .andExpect(jsonPath("$.customerId").value("C-1"))
                .andExpect(jsonPath("$.amount").value("19.90"))
                .andExpect(jsonPath("$.currency").value("EUR"))
                .andRespond(answer);
        return payments.charge("K-1", "O-1", "C-1", new Money(new BigDecimal("19.90"), Currency.getInstance("EUR")));
    }

    private Charge find(ResponseCreator answer) {
        provider.expect(requestTo("http://provider/payments/K-1"))
                .andExpect(method(HttpMethod.GET))
                .andRespond(answer);
        return payments.find("K-1");
    }

    private Refund refund(ResponseCreator answer) {
        provider.expect(requestTo("http://provider/payments/K-1/refunds"))
                .andExpect(method(HttpMethod.POST))
                .andExpect(header("Idempotency-Key", "K-2"))
                .andRespond(answer);
        return payments.refund("K-2", "K-1");
    }

    private static ResponseCreator answer(int status, String body) {
        return withStatus(HttpStatusCode.valueOf(status))
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }

    private static void uncertain(Runnable call) {
        assertThatExceptionOfType(UncertainPaymentException.class).isThrownBy(call::run);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201})
    void aReferenceSaysThatTheMoneyHasMoved(int status) {
        ResponseCreator answer = answer(status, "{\"reference\":\"PAY-1\"}");
        assertThat(charge(answer)).isEqualTo(new Charge.Charged("PAY-1"));
        provider.reset();
        assertThat(find(answer)).isEqualTo(new Charge.Charged("PAY-1"));
        provider.reset();
        assertThat(refund(answer)).isEqualTo(new Refund.Refunded("PAY-1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 402, 410, 422})
    void aCodeSaysThatItWillNotMove(int status) {
        ResponseCreator answer = answer(status, "{\"code\":\"CARD_EXPIRED\"}");
        assertThat(charge(answer)).isEqualTo(new Charge.Declined("CARD_EXPIRED"));
        provider.reset();
        assertThat(refund(answer)).isEqualTo(new Refund.Refused("CARD_EXPIRED"));
    }

    @Test
    void whatWasDeclinedIsFoundToBe() {
        assertThat(find(answer(200, "{\"code\":\"CARD_EXPIRED\"}"))).isEqualTo(new Charge.Declined("CARD_EXPIRED"));
    }

    @Test
    void aPaymentIsUnknownOnlyWhereTheProviderSaysSo() {
        assertThat(find(answer(404, "{\"code\":\"NO_SUCH_PAYMENT\"}"))).isEqualTo(new Charge.Unknown());
    }

    /** A 404 of a proxy, or of a wrong URL, must not count as "nothing was taken". */
    @ParameterizedTest
    @CsvSource({
        "404, '{}'",
        "404, 'not found'",
        "404, '{\"code\":\"NOT_FOUND\"}'",
        "410, '{\"code\":\"NO_SUCH_PAYMENT\"}'",
        "200, '{}'",
        "200, ''",
        "204, ''",
        "422, '{\"code\":\"CARD_EXPIRED\"}'",
        "500, '{\"reference\":\"PAY-1\"}'",
        "503, '{\"code\":\"NO_SUCH_PAYMENT\"}'",
        "302, ''"
    })
    void allElseIsNoAnswerToTheQuestionWhetherItWasTaken(int status, String body) {
        uncertain(() -> find(answer(status, body)));
    }

    @ParameterizedTest
    @CsvSource({
        "200, '{}'",
        "200, 'not json'",
        "200, '{\"reference\":7}'",
        "200, '{\"reference\":\"a\\nforged line\"}'",
        "200, '{\"code\":\"CARD_EXPIRED\"}'",
        "400, '{}'",
        "400, '{\"reference\":\"PAY-1\"}'",
        "401, '{\"code\":\"NO_CREDENTIALS\"}'",
        "403, '{\"code\":\"FORBIDDEN\"}'",
        "404, '{\"code\":\"NOT_FOUND\"}'",
        "408, '{\"code\":\"TIMEOUT\"}'",
        "409, '{\"code\":\"IN_PROGRESS\"}'",
        "425, '{\"code\":\"TOO_EARLY\"}'",
        "429, '{\"code\":\"TOO_MANY\"}'",
        "500, '{\"code\":\"OUT_OF_ORDER\"}'",
        "503, '{\"reference\":\"PAY-1\"}'",
        "302, '{\"reference\":\"PAY-1\"}'"
    })
    void allElseIsNoAnswerToAPaymentOrARefund(int status, String body) {
        uncertain(() -> charge(answer(status, body)));
        provider.reset();
        uncertain(() -> refund(answer(status, body)));
    }

    @Test
    void silenceIsNoAnswer() {
        for (IOException fault : new IOException[] {new SocketTimeoutException("silent"), new ConnectException("no")}) {
            uncertain(() -> charge(withException(fault)));
            provider.reset();
            uncertain(() -> find(withException(fault)));
            provider.reset();
            uncertain(() -> refund(withException(fault)));
            provider.reset();
        }
    }

    @Test
    void anAnswerOfHalfAMegabyteIsNoAnswer() {
        uncertain(() -> charge(answer(200, "{\"reference\":\"" + "X".repeat(500_000) + "\"}")));
    }
}
