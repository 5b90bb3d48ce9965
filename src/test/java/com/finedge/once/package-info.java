/** Tests of the application as a whole: its borders and its files. */
@NullMarked
package com.finedge.once;

import org.jspecify.annotations.NullMarked;
