/** Tests of the batches. */
@NullMarked
package com.finedge.once.adapter.sqs;

import org.jspecify.annotations.NullMarked;
