/** A configuration that is seen. */
@NullMarked
package com.finedge.once.architecture.samples.config;

import org.jspecify.annotations.NullMarked;
