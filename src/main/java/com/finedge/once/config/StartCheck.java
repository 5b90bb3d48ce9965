package com.finedge.once.config;

import org.apache.camel.CamelContext;

/** Looks whether a role can keep its promises with what is there. */
@FunctionalInterface
interface StartCheck {

    /** @throws StartRefusedException if it can't */
    void check(CamelContext camel);
}
