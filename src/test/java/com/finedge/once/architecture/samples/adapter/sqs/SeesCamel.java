package com.finedge.once.architecture.samples.adapter.sqs;

import org.apache.camel.Exchange;

interface SeesCamel {
    Exchange sees();
}
