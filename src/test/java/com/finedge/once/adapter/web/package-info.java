/** Tests of billing over HTTP, in the running application. */
@NullMarked
package com.finedge.once.adapter.web;

import org.jspecify.annotations.NullMarked;
