/** Puts the application together from its properties, and refuses to start it where it could not keep its promises. */
@NullMarked
package com.finedge.once.config;

import org.jspecify.annotations.NullMarked;
