/** Messages that are stored in the caller's transaction and relayed to their queues afterwards. */
@NullMarked
package com.finedge.once.outbox;

import org.jspecify.annotations.NullMarked;
