package com.finedge.once.adapter.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.jsonPath;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withException;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withStatus;

import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.Money;
import com.finedge.once.charge.Notification;
import com.finedge.once.charge.NotificationResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.client.ResponseCreator;
import org.springframework.web.client.RestClient;

class HttpNotificationsTest {

    private static NotificationResult when(ResponseCreator answer) {
        RestClient.Builder http = RestClient.builder().baseUrl("http://notifications");
        MockRestServiceServer.bindTo(http)
                .build()
                .expect(requestTo("http://notifications/notifications"))
                .andExpect(header("Idempotency-Key", "debit-notice:CHG-1001"))
                .andExpect(jsonPath("$.notificationId").value("debit-notice:CHG-1001"))
                .andExpect(jsonPath("$.chargeId").value("CHG-1001"))
                .andExpect(jsonPath("$.amount").value("10000"))
                .andExpect(jsonPath("$.currency").value("JPY"))
                .andExpect(jsonPath("$.debitReference").value("DEB-1"))
                .andRespond(answer);
        Charge charge = new Charge(
                new ChargeId("CHG-1001"),
                "ACC-42",
                "SMS_ALERT_FEE",
                new Money(new BigDecimal("10000"), Currency.getInstance("JPY")),
                Instant.parse("2026-03-01T00:00:00Z"));
        return new HttpNotifications(http.build()).send(Notification.of(charge, new DebitResult.Debited("DEB-1")));
    }

    @Test
    void aSuccessIsSent() {
        assertThat(when(withStatus(HttpStatus.ACCEPTED))).isEqualTo(new NotificationResult.Sent());
    }

    @Test
    void everyFaultIsAnAnswer() {
        assertThat(when(withStatus(HttpStatus.INTERNAL_SERVER_ERROR)))
                .isEqualTo(new NotificationResult.NotSent("the notification service answered 500"));
        assertThat(when(withStatus(HttpStatus.BAD_REQUEST)))
                .isEqualTo(new NotificationResult.NotSent("the notification service answered 400"));
        assertThat(when(withException(new IOException("reset"))))
                .isEqualTo(new NotificationResult.NotSent("the notification service did not answer"));
    }
}
