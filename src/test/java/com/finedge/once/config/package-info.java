/** Tests of what refuses to start. */
@NullMarked
package com.finedge.once.config;

import org.jspecify.annotations.NullMarked;
