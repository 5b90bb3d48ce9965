package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.CaughtErrors;
import com.finedge.once.camel.GuardedSqsEndpoints;
import com.finedge.once.camel.QueueUrlFunction;
import com.finedge.once.camel.RoleFunction;
import com.finedge.once.camel.SecondsFunction;
import com.finedge.once.camel.WhereSetFunction;
import java.util.stream.Collectors;
import org.apache.camel.main.RoutesCollector;
import org.apache.camel.spi.CamelContextCustomizer;
import org.apache.camel.spring.boot.CamelConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Keeps Camel within the guarantees, whatever stands in a route's YAML. */
@Configuration(proxyBeanMethods = false)
class CamelConfiguration {

    /** In place of Camel's own, which knows the routes of a pattern only. */
    @Bean
    RoutesCollector routesCollector(
            ConfigurableApplicationContext application, CamelConfigurationProperties camel, OnceProperties once) {
        return new RoutesFromFolder(application, camel.getMain().isIncludeNonSingletons(), once.routes());
    }

    @Bean
    CamelContextCustomizer guardedEndpoints(SqsQueues queues, OnceProperties once, Environment environment) {
        return camel -> {
            camel.getCamelContextExtension().registerEndpointCallback(new GuardedSqsEndpoints());
            camel.getCamelContextExtension().addInterceptStrategy(new CaughtErrors());
            camel.getPropertiesComponent().addPropertiesFunction(new QueueUrlFunction(queues));
            camel.getPropertiesComponent().addPropertiesFunction(new SecondsFunction());
            camel.getPropertiesComponent().addPropertiesFunction(new WhereSetFunction(environment::getProperty));
            camel.getPropertiesComponent()
                    .addPropertiesFunction(new RoleFunction(
                            once.roles().stream().map(Role::label).collect(Collectors.toSet())));
        };
    }
}
