/** Who may perform an effect, and what became of it: one record per business key, every write fenced by its owner. */
@NullMarked
package com.finedge.once.claim;

import org.jspecify.annotations.NullMarked;
