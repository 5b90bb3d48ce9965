/** Tests of the routes and of what keeps Camel within the guarantees. */
@NullMarked
package com.finedge.once.camel;

import org.jspecify.annotations.NullMarked;
