package com.finedge.once.config;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How payments of orders are taken where it isn't rows of our own database that they are.
 *
 * @param url Base address of the payment provider; payments go to /payments below it. Where it isn't set, payments are rows of our own database.
 * @param connectTimeout How long connecting to the provider may take.
 * @param readTimeout How long the provider may be silent before a payment is uncertain and asked for again. Twice this and the connect time-out must stay below the lease.
 * @param lease How long one process has a payment to itself. An undo doesn't believe that the provider knows nothing of it before the lease of the last attempt has ended: so long a request may be under way at the provider after we have given it up.
 */
@Validated
@ConfigurationProperties("once.orders.payment-provider")
public record PaymentProviderProperties(
        @Nullable URI url,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("10s") Duration readTimeout,
        @DefaultValue("60s") Duration lease) {

    public PaymentProviderProperties {
        url = url == null || url.toString().isBlank() ? null : url;
        Checks.positive("once.orders.payment-provider.connect-timeout", connectTimeout);
        Checks.positive("once.orders.payment-provider.read-timeout", readTimeout);
        Duration longest = connectTimeout.plus(readTimeout).multipliedBy(2);
        Checks.refuse(
                lease.compareTo(longest) <= 0,
                "once.orders.payment-provider.lease (%s) must exceed twice the connect-timeout and read-timeout together (%s): "
                        + "an undo asks the provider and then takes back, under one lease",
                lease,
                longest);
    }
}
