/** Tests of what becomes of dead letters. */
@NullMarked
package com.finedge.once.deadletter;

import org.jspecify.annotations.NullMarked;
