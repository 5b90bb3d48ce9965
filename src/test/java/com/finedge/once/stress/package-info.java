/** The application on its worst days: faults, pauses, kills and bursts, with real queues and tables. */
@NullMarked
package com.finedge.once.stress;

import org.jspecify.annotations.NullMarked;
