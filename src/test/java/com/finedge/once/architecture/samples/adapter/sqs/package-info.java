/** An adapter that sees what it must not. */
@NullMarked
package com.finedge.once.architecture.samples.adapter.sqs;

import org.jspecify.annotations.NullMarked;
