/** Tests of billing, on a real database. */
@NullMarked
package com.finedge.once.billing;

import org.jspecify.annotations.NullMarked;
