/** Billing over HTTP, with problem details for answers that aren't what was asked for. */
@NullMarked
package com.finedge.once.adapter.web;

import org.jspecify.annotations.NullMarked;
