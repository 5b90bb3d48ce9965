package com.finedge.once.config;

import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the service that notifies customers is reached.
 *
 * @param url Base address of the notification service; notifications go to /notifications below it.
 * @param connectTimeout How long connecting to the service may take.
 * @param readTimeout How long the service may be silent before the notification counts as failed.
 */
@Validated
@ConfigurationProperties("once.notifications")
public record NotificationsProperties(
        @DefaultValue("http://127.0.0.1:8090") @NotNull URI url,
        @DefaultValue("1s") Duration connectTimeout,
        @DefaultValue("3s") Duration readTimeout) {

    public NotificationsProperties {
        Checks.positive("once.notifications.connect-timeout", connectTimeout);
        Checks.positive("once.notifications.read-timeout", readTimeout);
    }
}
