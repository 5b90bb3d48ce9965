@NullMarked
package com.finedge.once.console;

import org.jspecify.annotations.NullMarked;
