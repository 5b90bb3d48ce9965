/** Performing any effect once for its business key, as charge recovery does with a debit. */
@NullMarked
package com.finedge.once.effect;

import org.jspecify.annotations.NullMarked;
