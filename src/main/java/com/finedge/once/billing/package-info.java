/** Raising a charge: stored and announced in one transaction, once per idempotency key, and settled by its outcome. */
@NullMarked
package com.finedge.once.billing;

import org.jspecify.annotations.NullMarked;
