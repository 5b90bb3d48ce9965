package com.finedge.once.config;

import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How AWS is reached, the same for all clients. Credentials come from the SDK's default chain.
 *
 * @param region Region of the queues and tables.
 * @param sqsEndpoint Address of SQS instead of the region's own, for an emulator or a private endpoint.
 * @param dynamodbEndpoint Address of DynamoDB instead of the region's own, for an emulator or a private endpoint.
 * @param callTimeout How long one call may take with all its retries, long polls aside; must stay below the lease.
 */
@Validated
@ConfigurationProperties("once.aws")
public record AwsProperties(
        @DefaultValue("eu-west-1") @NotBlank String region,
        @Nullable URI sqsEndpoint,
        @Nullable URI dynamodbEndpoint,
        @DefaultValue("5s") Duration callTimeout) {

    public AwsProperties {
        Checks.positive("once.aws.call-timeout", callTimeout);
    }
}
