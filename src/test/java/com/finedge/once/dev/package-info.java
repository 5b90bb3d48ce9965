/** Once's back ends for development and tests: queues, tables and a bank on this machine, never part of the jar. */
@NullMarked
package com.finedge.once.dev;

import org.jspecify.annotations.NullMarked;
