/** Takes payments of orders through a payment provider, over HTTP. */
@NullMarked
package com.finedge.once.adapter.payment;

import org.jspecify.annotations.NullMarked;
