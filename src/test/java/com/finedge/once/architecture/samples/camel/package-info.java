/** Steps that see what they must not. */
@NullMarked
package com.finedge.once.architecture.samples.camel;

import org.jspecify.annotations.NullMarked;
