/** How long to wait before something that failed is tried again. */
@NullMarked
package com.finedge.once.retry;

import org.jspecify.annotations.NullMarked;
