/** Debits accounts through the core-banking API, over HTTP. */
@NullMarked
package com.finedge.once.adapter.corebanking;

import org.jspecify.annotations.NullMarked;
