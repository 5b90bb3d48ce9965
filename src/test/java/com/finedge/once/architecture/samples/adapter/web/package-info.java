/** An adapter that goes around the application. */
@NullMarked
package com.finedge.once.architecture.samples.adapter.web;

import org.jspecify.annotations.NullMarked;
