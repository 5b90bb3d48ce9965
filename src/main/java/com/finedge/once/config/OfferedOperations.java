package com.finedge.once.config;

import io.hawt.jmx.JMXSecurityMBean;
import java.util.List;
import java.util.Map;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import org.jolokia.server.core.service.api.Restrictor;
import org.springframework.jmx.export.annotation.ManagedOperation;
import org.springframework.jmx.export.annotation.ManagedResource;

/** Tells Hawtio's page what the policy allows, so that it offers nothing else; what it says decides nothing. */
@ManagedResource(objectName = "hawtio:type=security,area=jmx,name=OncePolicy")
public final class OfferedOperations implements JMXSecurityMBean {

    private final Restrictor policy;

    OfferedOperations(Restrictor policy) {
        this.policy = policy;
    }

    @Override
    @ManagedOperation
    public boolean canInvoke(String mbean) {
        return true;
    }

    @Override
    @ManagedOperation
    public boolean canInvoke(String mbean, String operation) throws MalformedObjectNameException {
        return policy.isOperationAllowed(new ObjectName(mbean), operation);
    }

    @Override
    @ManagedOperation
    public boolean canInvoke(String mbean, String operation, String[] types) throws MalformedObjectNameException {
        return canInvoke(mbean, operation + "(" + String.join(",", types) + ")");
    }

    @Override
    @ManagedOperation
    public TabularData canInvoke(Map<String, List<String>> operations)
            throws MalformedObjectNameException, OpenDataException {
        TabularData answers = new TabularDataSupport(CAN_INVOKE_TABULAR_TYPE);
        for (Map.Entry<String, List<String>> asked : operations.entrySet()) {
            for (String operation : asked.getValue()) {
                answers.put(new CompositeDataSupport(
                        CAN_INVOKE_RESULT_ROW_TYPE,
                        CAN_INVOKE_RESULT_COLUMNS,
                        new Object[] {asked.getKey(), operation, canInvoke(asked.getKey(), operation)}));
            }
        }
        return answers;
    }
}
