/** Tests of the claim protocol. */
@NullMarked
package com.finedge.once.claim;

import org.jspecify.annotations.NullMarked;
