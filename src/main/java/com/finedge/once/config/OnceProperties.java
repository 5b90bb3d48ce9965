package com.finedge.once.config;

import jakarta.validation.constraints.NotEmpty;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What this process does.
 *
 * @param roles The parts that run in this process: charge-recovery.
 */
@Validated
@ConfigurationProperties("once")
public record OnceProperties(
        @DefaultValue("charge-recovery") @NotEmpty Set<Role> roles) {}
