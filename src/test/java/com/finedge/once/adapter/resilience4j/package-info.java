/** What opens a circuit, and what an open one keeps back. */
@NullMarked
package com.finedge.once.adapter.resilience4j;

import org.jspecify.annotations.NullMarked;
