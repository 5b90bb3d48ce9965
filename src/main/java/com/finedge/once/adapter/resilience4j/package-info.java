/** Circuit breakers around what may be down, so that an outage burns neither receives nor attempts. */
@NullMarked
package com.finedge.once.adapter.resilience4j;

import org.jspecify.annotations.NullMarked;
