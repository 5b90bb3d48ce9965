/** Named steps over several participants, forward and, if need be, back again, from the last recorded one. */
@NullMarked
package com.finedge.once.saga;

import org.jspecify.annotations.NullMarked;
