/** A core package that the application has not got yet. */
@NullMarked
package com.finedge.once.architecture.samples.outbox;

import org.jspecify.annotations.NullMarked;
