/** Definitions of sagas, read from YAML. */
@NullMarked
package com.finedge.once.adapter.yaml;

import org.jspecify.annotations.NullMarked;
