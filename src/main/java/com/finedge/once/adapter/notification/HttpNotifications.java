package com.finedge.once.adapter.notification;

import com.finedge.once.charge.Charge;
import com.finedge.once.charge.Notification;
import com.finedge.once.charge.NotificationPort;
import com.finedge.once.charge.NotificationResult;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;

/** {@code POST /notifications} with the notification's id as {@code Idempotency-Key}. */
public final class HttpNotifications implements NotificationPort {

    private final RestClient service;

    /** @param service has the base URL and the connect and read time-outs */
    public HttpNotifications(RestClient service) {
        this.service = service;
    }

    @Override
    public NotificationResult send(Notification notification) {
        Charge charge = notification.charge();
        try {
            service.post()
                    .uri("/notifications")
                    .header("Idempotency-Key", notification.id())
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(new NotificationBody(
                            notification.id(),
                            charge.id().value(),
                            charge.accountId(),
                            charge.amount().digits(),
                            charge.amount().currency().getCurrencyCode(),
                            notification.debitReference()))
                    .retrieve()
                    .toBodilessEntity();
            return new NotificationResult.Sent();
        } catch (RestClientResponseException e) {
            return new NotificationResult.NotSent(
                    "the notification service answered " + e.getStatusCode().value());
        } catch (RestClientException | IllegalStateException e) {
            // IllegalStateException: the connections are closed, the process stops.
            return new NotificationResult.NotSent("the notification service did not answer");
        }
    }

    private record NotificationBody(
            String notificationId,
            String chargeId,
            String accountId,
            String amount,
            String currency,
            @Nullable String debitReference) {}
}
