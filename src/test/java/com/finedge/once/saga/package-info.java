/** Tests of what a saga does, without any store. */
@NullMarked
package com.finedge.once.saga;

import org.jspecify.annotations.NullMarked;
