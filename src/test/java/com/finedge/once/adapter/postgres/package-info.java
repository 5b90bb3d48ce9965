/** Tests of what is kept in PostgreSQL, on a real one. */
@NullMarked
package com.finedge.once.adapter.postgres;

import org.jspecify.annotations.NullMarked;
