/** A core that does what a core must not. */
@NullMarked
package com.finedge.once.architecture.samples.deadletter;

import org.jspecify.annotations.NullMarked;
