/** The claim contract on a real DynamoDB API. */
@NullMarked
package com.finedge.once.adapter.dynamodb;

import org.jspecify.annotations.NullMarked;
