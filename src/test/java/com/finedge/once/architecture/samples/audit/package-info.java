/** A core that does what a core must not. */
@NullMarked
package com.finedge.once.architecture.samples.audit;

import org.jspecify.annotations.NullMarked;
