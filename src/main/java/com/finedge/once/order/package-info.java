/** The participants of the order saga: payment, inventory, shipping and the order itself. */
@NullMarked
package com.finedge.once.order;

import org.jspecify.annotations.NullMarked;
