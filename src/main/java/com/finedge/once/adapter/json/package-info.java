/** The messages of the contract as JSON text, read strictly and written canonically. */
@NullMarked
package com.finedge.once.adapter.json;

import org.jspecify.annotations.NullMarked;
