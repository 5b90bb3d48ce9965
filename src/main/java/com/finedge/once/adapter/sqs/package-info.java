/** What Camel's SQS component can't do: look at queues, delete and hide messages in batches. */
@NullMarked
package com.finedge.once.adapter.sqs;

import org.jspecify.annotations.NullMarked;
