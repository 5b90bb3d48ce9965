package com.finedge.once.camel;

import org.apache.camel.spi.PropertiesFunction;
import org.springframework.boot.convert.DurationStyle;

/** {@code {{seconds:20s}}} in a route is a duration in whole seconds, as SQS wants it. */
public final class SecondsFunction implements PropertiesFunction {

    @Override
    public String getName() {
        return "seconds";
    }

    @Override
    public String apply(String duration) {
        return Long.toString(DurationStyle.detectAndParse(duration).toSeconds());
    }
}
