/** Outbox, inbox, claims and charges in PostgreSQL. */
@NullMarked
package com.finedge.once.adapter.postgres;

import org.jspecify.annotations.NullMarked;
