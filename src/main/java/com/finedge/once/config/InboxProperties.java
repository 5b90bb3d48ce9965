package com.finedge.once.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the inbox remembers.
 *
 * @param retention How long a message is remembered, at least 15d: SQS keeps one for 14 days at most.
 */
@ConfigurationProperties("once.inbox")
public record InboxProperties(@DefaultValue("15d") Duration retention) {

    private static final Duration LEAST = Duration.ofDays(15);

    public InboxProperties {
        Checks.refuse(
                retention.compareTo(LEAST) < 0,
                "once.inbox.retention (%s) must be at least %s: SQS may deliver a message again for 14 days",
                retention,
                LEAST);
    }
}
