/** Meters that see Camel. */
@NullMarked
package com.finedge.once.architecture.samples.metrics;

import org.jspecify.annotations.NullMarked;
