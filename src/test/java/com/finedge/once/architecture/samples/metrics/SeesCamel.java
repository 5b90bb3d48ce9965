package com.finedge.once.architecture.samples.metrics;

import org.apache.camel.Exchange;

interface SeesCamel {
    Exchange sees();
}
