/** Tests of the participants of orders, on a real database and real queues. */
@NullMarked
package com.finedge.once.order;

import org.jspecify.annotations.NullMarked;
