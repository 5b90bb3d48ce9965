/** What operators look at and act by. */
@NullMarked
package com.finedge.once.console;

import org.jspecify.annotations.NullMarked;
