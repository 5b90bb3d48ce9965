/** The payment provider over HTTP, answer by answer. */
@NullMarked
package com.finedge.once.adapter.payment;

import org.jspecify.annotations.NullMarked;
