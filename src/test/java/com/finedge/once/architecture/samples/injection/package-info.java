/** Fields that are filled from outside. */
@NullMarked
package com.finedge.once.architecture.samples.injection;

import org.jspecify.annotations.NullMarked;
