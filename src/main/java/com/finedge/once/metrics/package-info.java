/** Turns what the core tells its listeners into meters. */
@NullMarked
package com.finedge.once.metrics;

import org.jspecify.annotations.NullMarked;
