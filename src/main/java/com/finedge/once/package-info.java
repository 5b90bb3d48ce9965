/** Exactly-once effects on at-least-once queues: the application itself. */
@NullMarked
package com.finedge.once;

import org.jspecify.annotations.NullMarked;
