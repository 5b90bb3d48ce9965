/** What a message costs: consumers in JVMs of their own, measured against stubs with latency and against emulators. */
@NullMarked
package com.finedge.once.bench;

import org.jspecify.annotations.NullMarked;
