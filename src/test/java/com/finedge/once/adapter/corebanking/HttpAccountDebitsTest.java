package com.finedge.once.adapter.corebanking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.jsonPath;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.method;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withException;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withStatus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitOutcome;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.DebitSearch;
import com.finedge.once.charge.Money;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Currency;
import org.apache.hc.client5.http.ConnectTimeoutException;
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

class HttpAccountDebitsTest {

    private static final Charge CHARGE = new Charge(
            new ChargeId("CHG-1001"),
            "ACC-42",
            "SMS_ALERT_FEE",
            new Money(new BigDecimal("19.90"), Currency.getInstance("EUR")),
            Instant.parse("2026-03-01T00:00:00Z"));

    private static DebitResult when(ResponseCreator answer) {
        RestClient.Builder http = RestClient.builder().baseUrl("http://bank");
        MockRestServiceServer bank = MockRestServiceServer.bindTo(http).build();
        bank.expect(requestTo("http://bank/debits"))
                .andExpect(method(HttpMethod.POST))
                .andExpect(header("Idempotency-Key", "CHG-1001"))
                .andExpect(jsonPath("$.chargeId").value("CHG-1001"))
                .andExpect(jsonPath("$.accountId").value("ACC-42"))
                .andExpect(jsonPath("$.chargeType").value("SMS_ALERT_FEE"))
                .andExpect(jsonPath("$.amount").value("19.90"))
                .andExpect(jsonPath("$.currency").value("EUR"))
                .andExpect(jsonPath("$.dueAt").value("2026-03-01T00:00:00Z"))
                .andRespond(answer);
        return new HttpAccountDebits(http.build(), new ObjectMapper()).debit(CHARGE);
    }

    private static ResponseCreator answer(int status, String body) {
        return withStatus(HttpStatusCode.valueOf(status))
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }

    private static DebitSearch found(ResponseCreator answer) {
        RestClient.Builder http = RestClient.builder().baseUrl("http://bank");
        MockRestServiceServer bank = MockRestServiceServer.bindTo(http).build();
        bank.expect(requestTo("http://bank/debits/CHG-1001"))
                .andExpect(method(HttpMethod.GET))
                .andRespond(answer);
        return new HttpAccountDebits(http.build(), new ObjectMapper()).find(CHARGE.id());
    }

    @Test
    void aDebitIsFoundByItsKeyWithItsReference() {
        assertThat(found(answer(200, "{\"idempotencyKey\":\"CHG-1001\",\"reference\":\"DEB-1\"}")))
                .isEqualTo(new DebitSearch.Found("DEB-1"));
        assertThat(found(answer(200, "{\"idempotencyKey\":\"CHG-1001\",\"reference\":\"a\\nforged line\"}")))
                .isEqualTo(new DebitSearch.Found(null));
        assertThat(found(answer(404, "{\"code\":\"NOT_DEBITED\"}"))).isEqualTo(new DebitSearch.NotFound());
    }

    /** A login page, a gateway that doesn't know the path, another debit: none of them says anything about this one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|<html>log in</html>",
                "200|{}",
                "200|{\"idempotencyKey\":\"CHG-1002\",\"reference\":\"DEB-1\"}",
                "200|{\"code\":\"NOT_DEBITED\"}",
                "204|{}",
                "404|not found",
                "404|{\"code\":\"NOT_FOUND\"}",
                "404|{\"idempotencyKey\":\"CHG-1001\"}",
                "401|{\"code\":\"NOT_DEBITED\"}",
                "429|{}",
                "500|{}",
                "302|{}"
            })
    void anyOtherAnswerIsNone(int status, String body) {
        assertThat(found(answer(status, body))).isInstanceOf(DebitSearch.NoAnswer.class);
    }

    @Test
    void aBankThatBreaksOffHasNotAnswered() {
        assertThat(found(request -> {
                    throw new IOException("reset");
                }))
                .isInstanceOf(DebitSearch.NoAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204})
    void everySuccessIsDebited(int status) {
        assertThat(when(answer(status, "{\"reference\":\"DEB-1\"}"))).isEqualTo(new DebitResult.Debited("DEB-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not json", "[]", "{}", "{\"reference\":7}", "{\"reference\":\"a\\nforged line\"}"})
    void aReceiptThatCantBeReadChangesNothingAboutTheMoney(String body) {
        assertThat(when(answer(200, body))).isEqualTo(new DebitResult.Debited(null));
    }

    @Test
    void anAnswerOfHalfAMegabyteLeavesNothingBehindThatHasToBeStored() {
        String endless = "X".repeat(500_000);

        assertThat(when(answer(200, "{\"reference\":\"" + endless + "\"}"))).isEqualTo(new DebitResult.Debited(null));
        assertThat(when(answer(422, "{\"code\":\"" + endless + "\"}"))).isEqualTo(new DebitResult.Rejected("HTTP_422"));
    }

    @ParameterizedTest
    @CsvSource({
        "400, '{\"code\":\"INVALID_ACCOUNT\"}', INVALID_ACCOUNT",
        "402, '{\"code\":\"INSUFFICIENT_FUNDS\"}', INSUFFICIENT_FUNDS",
        "403, '{\"code\":\"ACCOUNT_BLOCKED\"}', ACCOUNT_BLOCKED",
        "404, '{\"code\":\"UNKNOWN_ACCOUNT\"}', UNKNOWN_ACCOUNT",
        "410, '', HTTP_410",
        "422, '{\"code\":\"IDEMPOTENCY_KEY_REUSED\"}', IDEMPOTENCY_KEY_REUSED",
        "422, '{\"code\":\"no code at all\\nforged\"}', HTTP_422",
        "422, 'not json', HTTP_422"
    })
    void aClientErrorIsTheBanksRefusalWithItsCode(int status, String body, String code) {
        assertThat(when(answer(status, body))).isEqualTo(new DebitResult.Rejected(code));
    }

    @ParameterizedTest
    @CsvSource({
        "408, UNKNOWN",
        "409, UNKNOWN",
        "425, UNAVAILABLE",
        "429, UNAVAILABLE",
        "500, UNKNOWN",
        "502, UNKNOWN",
        "503, UNAVAILABLE",
        "504, UNKNOWN",
        "302, UNKNOWN"
    })
    void notNowIsNoRefusal(int status, DebitOutcome outcome) {
        assertThat(when(answer(status, "{\"code\":\"BUSY\"}")).outcome()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 405, 407})
    void ourOwnWrongUrlOrCredentialsFailNoCharge(int status) {
        assertThat(when(answer(status, "<html>no such page</html>")).outcome()).isEqualTo(DebitOutcome.UNAVAILABLE);
    }

    @Test
    void aFaultBeforeTheRequestLeftIsUnavailable() {
        assertThat(when(withException(new ConnectException("refused"))).outcome())
                .isEqualTo(DebitOutcome.UNAVAILABLE);
        assertThat(when(withException(new ConnectTimeoutException("black hole")))
                        .outcome())
                .isEqualTo(DebitOutcome.UNAVAILABLE);
        assertThat(when(withException(new UnknownHostException("bank"))).outcome())
                .isEqualTo(DebitOutcome.UNAVAILABLE);
    }

    @Test
    void aFaultAfterTheRequestLeftIsUnknown() {
        assertThat(when(withException(new SocketTimeoutException("silent"))).outcome())
                .isEqualTo(DebitOutcome.UNKNOWN);
        assertThat(when(withException(new IOException("reset"))).outcome()).isEqualTo(DebitOutcome.UNKNOWN);
    }
}
