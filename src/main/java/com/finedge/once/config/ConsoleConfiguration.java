package com.finedge.once.config;

import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.sqs.SqsQueueCounts;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.audit.AuditLog;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.console.Assets;
import com.finedge.once.console.AuditPage;
import com.finedge.once.console.ChargesPerMinute;
import com.finedge.once.console.ClaimPages;
import com.finedge.once.console.DeadLetterPages;
import com.finedge.once.console.LoginPage;
import com.finedge.once.console.OperatorActions;
import com.finedge.once.console.OutboxPages;
import com.finedge.once.console.OverviewPage;
import com.finedge.once.console.Pages;
import com.finedge.once.console.QueueLevel;
import com.finedge.once.console.SagaPages;
import com.finedge.once.deadletter.DeadLetterWatch;
import com.finedge.once.deadletter.DeadLetters;
import com.finedge.once.deadletter.Redrives;
import com.finedge.once.deadletter.Standing;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.saga.SagaDefinitions;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.saga.Sagas;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.servlet.server.CookieSameSiteSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The operator's pages, the same whatever other roles run beside them: what they show is in the database and in SQS. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.CONSOLE)
class ConsoleConfiguration {

    private static final long SAMPLE_SECONDS = 5;

    /** For what the pages watch; nothing that matters waits for it. */
    @Bean(destroyMethod = "shutdownNow")
    ScheduledExecutorService consoleWatch() {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("console-watch").daemon().factory());
    }

    @Bean
    ChargesPerMinute chargesPerMinute(InstantSource clock, MeterRegistry meters, ScheduledExecutorService watch) {
        ChargesPerMinute charges = new ChargesPerMinute(
                clock,
                () -> new ChargesPerMinute.Count(
                        sum(meters, MeterNames.ENDED, Tags.of("state", "DONE")),
                        sum(meters, MeterNames.ENDED, Tags.of("state", "FAILED")),
                        sum(meters, MeterNames.REFUSED, Tags.empty())));
        ScheduledFuture<?> unused = watch.scheduleAtFixedRate(charges::sample, 0, SAMPLE_SECONDS, TimeUnit.SECONDS);
        return charges;
    }

    private static double sum(MeterRegistry meters, String name, Tags tags) {
        return meters.find(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Bean
    Pages pages(InstantSource clock, OnceProperties once, WebEndpointProperties endpoints) {
        return new Pages(
                clock,
                Boolean.TRUE.equals(once.hawtio()) ? Map.of(endpoints.getBasePath() + "/hawtio/", "Hawtio") : Map.of());
    }

    /** A provider's answer comes from another site, and a strict cookie would be missing from it. */
    @Bean
    CookieSameSiteSupplier consoleCookie(Environment environment) {
        return CookieSameSiteSupplier.of(providers(environment).isEmpty() ? SameSite.STRICT : SameSite.LAX);
    }

    @Bean
    Assets assets() {
        return new Assets();
    }

    @Bean
    LoginPage loginPage(ConsoleProperties console, Environment environment) {
        Map<String, String> providers = providers(environment);
        return new LoginPage(console.localUsers() || !console.users().isEmpty() || providers.isEmpty(), providers);
    }

    /** Names of the places where else one can log in, by their ids; asked of the settings, before the management port is. */
    private static Map<String, String> providers(Environment environment) {
        Map<String, String> names = new TreeMap<>();
        Binder.get(environment)
                .bind("spring.security.oauth2.client", OAuth2ClientProperties.class)
                .ifBound(oidc -> oidc.getRegistration()
                        .forEach(
                                (id, client) -> names.put(id, Objects.requireNonNullElse(client.getClientName(), id))));
        return names;
    }

    @Bean
    OverviewPage overviewPage(
            Pages pages,
            ChargesPerMinute charges,
            PostgresOutbox outbox,
            Sagas sagas,
            SqsClient sqs,
            SqsQueues queues,
            WatchedQueues watched,
            DeadLetterWatch watch,
            ChargesProperties properties) {
        SqsQueueCounts counts = new SqsQueueCounts(sqs, queues);
        return new OverviewPage(
                pages, charges, () -> levels(watched, counts, watch), properties.deadLetterQueue(), outbox, sagas);
    }

    private static List<QueueLevel> levels(WatchedQueues watched, SqsQueueCounts counts, DeadLetterWatch watch) {
        List<QueueLevel> levels = new ArrayList<>();
        for (WatchedQueues.Watched one : watched.all()) {
            counts.of(one.queue())
                    .ifPresent(count ->
                            levels.add(new QueueLevel(one.queue(), false, count.visible(), count.hidden(), null)));
        }
        for (Standing standing : watch.standings()) {
            // As it is now; the watch has looked some time ago, and knows the oldest.
            counts.of(standing.queue())
                    .ifPresent(count -> levels.add(new QueueLevel(
                            standing.queue(), true, count.visible(), count.hidden(), standing.oldest())));
        }
        return levels;
    }

    @Bean
    OutboxPages outboxPages(Pages pages, PostgresOutbox outbox, OperatorActions actions) {
        return new OutboxPages(pages, outbox, actions);
    }

    @Bean
    SagaPages sagaPages(
            Pages pages, Sagas sagas, SagaDefinitions definitions, OperatorActions actions, InstantSource clock) {
        return new SagaPages(pages, sagas, key -> find(sagas, definitions, key), actions, clock);
    }

    @Bean
    DeadLetterPages deadLetterPages(
            Pages pages, DeadLetters letters, Redrives redrives, OperatorActions actions, InstantSource clock) {
        return new DeadLetterPages(pages, letters, redrives, actions, clock);
    }

    @Bean
    ClaimPages claimPages(Pages pages, DeadLetters letters) {
        return new ClaimPages(pages, letters, ChargeId.SCOPE);
    }

    @Bean
    AuditPage auditPage(Pages pages, AuditLog audit) {
        return new AuditPage(pages, audit);
    }

    private static Optional<UUID> find(Sagas sagas, SagaDefinitions definitions, String key) {
        return definitions.all().stream()
                .map(definition -> SagaIds.saga(definition.name(), key))
                .filter(id -> sagas.find(id).isPresent())
                .findFirst();
    }
}
