package com.finedge.once.architecture.samples.charge;

import org.apache.camel.Exchange;

interface SeesCamel {
    Exchange sees();
}
