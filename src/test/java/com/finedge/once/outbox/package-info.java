/** Tests of the relay, on a real database and real queues. */
@NullMarked
package com.finedge.once.outbox;

import org.jspecify.annotations.NullMarked;
