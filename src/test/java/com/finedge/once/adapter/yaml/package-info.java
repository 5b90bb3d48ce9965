/** Tests of the definitions that teams write. */
@NullMarked
package com.finedge.once.adapter.yaml;

import org.jspecify.annotations.NullMarked;
