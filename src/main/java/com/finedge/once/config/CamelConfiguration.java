package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.GuardedSqsEndpoints;
import com.finedge.once.camel.QueueUrlFunction;
import com.finedge.once.camel.SecondsFunction;
import org.apache.camel.spi.CamelContextCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keeps Camel within the guarantees, whatever stands in a route's YAML. */
@Configuration(proxyBeanMethods = false)
class CamelConfiguration {

    @Bean
    CamelContextCustomizer guardedEndpoints(SqsQueues queues) {
        return camel -> {
            camel.getCamelContextExtension().registerEndpointCallback(new GuardedSqsEndpoints());
            camel.getPropertiesComponent().addPropertiesFunction(new QueueUrlFunction(queues));
            camel.getPropertiesComponent().addPropertiesFunction(new SecondsFunction());
        };
    }
}
