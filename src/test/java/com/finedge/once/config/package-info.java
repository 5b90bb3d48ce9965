/** Tests of what refuses to start, and of the document that describes the configuration. */
@NullMarked
package com.finedge.once.config;

import org.jspecify.annotations.NullMarked;
