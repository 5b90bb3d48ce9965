/** What operators did: who, why and what, added to a log before it is done and never changed. */
@NullMarked
package com.finedge.once.audit;

import org.jspecify.annotations.NullMarked;
