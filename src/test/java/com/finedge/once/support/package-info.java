/** What tests of every part share. */
@NullMarked
package com.finedge.once.support;

import org.jspecify.annotations.NullMarked;
