package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;

/** The rules of recovering a charge, on the route as it stands in YAML. */
class RecoverChargeRouteTest extends RecoverChargeContract {

    @Override
    protected void addRoute(DefaultCamelContext camel) throws Exception {
        camel.getPropertiesComponent().addPropertiesFunction(new RoleFunction(Set.of("charge-recovery")));
        PluginHelper.getRoutesLoader(camel)
                .loadRoutes(PluginHelper.getResourceLoader(camel)
                        .resolveResource("classpath:routes/recover-charge.camel.yaml"));
        assertThat(camel.getRouteDefinition("recover-charge")).isNotNull();
        AdviceWith.adviceWith(camel, "recover-charge", route -> route.replaceFromWith(ENTRY));
    }
}
