package com.finedge.once.config;

import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the bank that debits accounts is reached.
 *
 * @param url Base address of the core-banking API; debits go to /debits below it.
 * @param connectTimeout How long connecting to the bank may take.
 * @param readTimeout How long the bank may be silent before the debit counts as unknown. Together with the connect time-out it must stay below the lease.
 */
@Validated
@ConfigurationProperties("once.core-banking")
public record CoreBankingProperties(
        @DefaultValue("http://127.0.0.1:8090") @NotNull URI url,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("10s") Duration readTimeout) {

    public CoreBankingProperties {
        Checks.positive("once.core-banking.connect-timeout", connectTimeout);
        Checks.positive("once.core-banking.read-timeout", readTimeout);
    }
}
