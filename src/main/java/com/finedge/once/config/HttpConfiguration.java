package com.finedge.once.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.corebanking.HttpAccountDebits;
import com.finedge.once.adapter.notification.HttpNotifications;
import com.finedge.once.adapter.resilience4j.BreakingAccountDebits;
import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.NotificationPort;
import java.net.URI;
import java.time.Duration;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** The bank, the notification service and the connections to the payment provider. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {

    /** An idle connection is looked at before it is used again: the other side may have closed it. */
    private static final TimeValue VALIDATE_AFTER = TimeValue.ofSeconds(1);

    @Bean
    CloseableHttpClient bankConnections(CoreBankingProperties bank, ChargesProperties charges) {
        return connections(bank.connectTimeout(), bank.readTimeout(), charges.maxInFlight());
    }

    @Bean
    CloseableHttpClient notificationConnections(NotificationsProperties notifications, ChargesProperties charges) {
        return connections(notifications.connectTimeout(), notifications.readTimeout(), charges.maxInFlight());
    }

    @Bean
    CloseableHttpClient paymentConnections(PaymentProviderProperties provider, OrdersProperties orders) {
        return connections(provider.connectTimeout(), provider.readTimeout(), orders.pollers());
    }

    @Bean
    AccountDebitPort accountDebits(
            CoreBankingProperties bank,
            CloseableHttpClient bankConnections,
            RestClient.Builder http,
            ObjectMapper json,
            Circuits circuits) {
        return new BreakingAccountDebits(
                new HttpAccountDebits(restClient(http, bank.url(), bankConnections), json), circuits.bank());
    }

    @Bean
    NotificationPort notifications(
            NotificationsProperties notifications,
            CloseableHttpClient notificationConnections,
            RestClient.Builder http) {
        return new HttpNotifications(restClient(http, notifications.url(), notificationConnections));
    }

    static RestClient restClient(RestClient.Builder http, URI url, CloseableHttpClient connections) {
        return http.baseUrl(url.toString())
                .requestFactory(new HttpComponentsClientHttpRequestFactory(connections))
                .build();
    }

    private static CloseableHttpClient connections(Duration connect, Duration read, int most) {
        Timeout silence = Timeout.of(read);
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(most)
                        .setMaxConnTotal(most)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(Timeout.of(connect))
                                .setSocketTimeout(silence)
                                .setValidateAfterInactivity(VALIDATE_AFTER)
                                .build())
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(silence)
                        .setConnectionRequestTimeout(Timeout.of(connect))
                        .build())
                // The queue is the retry. One in here would hide an uncertain debit and outlast the lease.
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }
}
