/** Tests of the waits between tries. */
@NullMarked
package com.finedge.once.retry;

import org.jspecify.annotations.NullMarked;
