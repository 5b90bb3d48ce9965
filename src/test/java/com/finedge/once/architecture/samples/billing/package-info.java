/** Another application that sees technologies. */
@NullMarked
package com.finedge.once.architecture.samples.billing;

import org.jspecify.annotations.NullMarked;
