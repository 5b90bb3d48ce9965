/** What the bank's answers mean. */
@NullMarked
package com.finedge.once.adapter.corebanking;

import org.jspecify.annotations.NullMarked;
