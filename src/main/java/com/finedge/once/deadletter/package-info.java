/** Messages that ended in a dead-letter queue: what is wrong with each, and how it gets back without a second effect. */
@NullMarked
package com.finedge.once.deadletter;

import org.jspecify.annotations.NullMarked;
