/** A core package that sees a technology. */
@NullMarked
package com.finedge.once.architecture.samples.effect;

import org.jspecify.annotations.NullMarked;
