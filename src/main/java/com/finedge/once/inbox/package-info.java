/** A message changes local state once, in the same transaction as the change. */
@NullMarked
package com.finedge.once.inbox;

import org.jspecify.annotations.NullMarked;
