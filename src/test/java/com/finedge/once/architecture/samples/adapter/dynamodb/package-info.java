/** An adapter that is seen by another. */
@NullMarked
package com.finedge.once.architecture.samples.adapter.dynamodb;

import org.jspecify.annotations.NullMarked;
