/** What the YAML routes call, and what keeps Camel within the guarantees. */
@NullMarked
package com.finedge.once.camel;

import org.jspecify.annotations.NullMarked;
