package com.finedge.once.config;

import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.camel.DiagramXml;
import com.finedge.once.camel.InFlightMessages;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import org.apache.camel.spi.CamelContextCustomizer;
import org.apache.camel.spi.ModelToXMLDumper;
import org.jolokia.server.core.restrictor.policy.PolicyRestrictor;
import org.jolokia.server.core.service.api.Restrictor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

/** What Hawtio shows of this process besides Camel's own, and how little it may do. */
@Configuration(proxyBeanMethods = false)
class HawtioConfiguration {

    /**
     * Jolokia takes this one whatever else is configured. It is there without Hawtio too: where Jolokia finds no policy it
     * allows everything.
     */
    @Bean
    Restrictor jolokiaPolicy() throws IOException {
        try (InputStream policy = new ClassPathResource("jolokia-access.xml").getInputStream()) {
            return new PolicyRestrictor(policy);
        }
    }

    @Bean
    @ConditionalOnBooleanProperty(HawtioWhereConsole.KEY)
    CamelContextCustomizer routeDiagrams() {
        return camel -> camel.getCamelContextExtension().addContextPlugin(ModelToXMLDumper.class, new DiagramXml());
    }

    @Bean
    @ConditionalOnBooleanProperty(HawtioWhereConsole.KEY)
    ManagedClaims managedClaims(
            Claims claims,
            ClaimsProperties properties,
            Heartbeat heartbeat,
            InFlightMessages inFlight,
            Circuits circuits,
            MeterRegistry meters) {
        return new ManagedClaims(claims, properties, heartbeat, inFlight, circuits, meters);
    }

    @Bean
    @ConditionalOnBooleanProperty(HawtioWhereConsole.KEY)
    OfferedOperations offeredOperations(Restrictor jolokiaPolicy) {
        return new OfferedOperations(jolokiaPolicy);
    }
}
