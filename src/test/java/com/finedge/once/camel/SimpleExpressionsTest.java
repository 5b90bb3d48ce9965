package com.finedge.once.camel;

import com.finedge.once.saga.Expressions;
import com.finedge.once.saga.ExpressionsContract;
import java.io.IOException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Everything else that Simple can do is refused or means nothing, as the contract's list of attempts shows. */
class SimpleExpressionsTest extends ExpressionsContract {

    private static final DefaultCamelContext CAMEL = new DefaultCamelContext();

    @BeforeAll
    static void start() {
        CAMEL.start();
    }

    @AfterAll
    static void stop() throws IOException {
        CAMEL.close();
    }

    @Override
    protected Expressions expressions() {
        return new SimpleExpressions(CAMEL);
    }
}
