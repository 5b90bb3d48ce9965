/** The spans of this process's own work, and what leaves and enters with them, by OpenTelemetry. */
@NullMarked
package com.finedge.once.adapter.opentelemetry;

import org.jspecify.annotations.NullMarked;
