/** A contract that is not alone. */
@NullMarked
package com.finedge.once.architecture.samples.contract;

import org.jspecify.annotations.NullMarked;
