/** Claims in DynamoDB: one item per business key, one conditional write per operation. */
@NullMarked
package com.finedge.once.adapter.dynamodb;

import org.jspecify.annotations.NullMarked;
