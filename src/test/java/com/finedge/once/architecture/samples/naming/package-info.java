/** Names that say nothing. */
@NullMarked
package com.finedge.once.architecture.samples.naming;

import org.jspecify.annotations.NullMarked;
