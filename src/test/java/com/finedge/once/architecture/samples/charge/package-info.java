/** An application that sees technologies. */
@NullMarked
package com.finedge.once.architecture.samples.charge;

import org.jspecify.annotations.NullMarked;
