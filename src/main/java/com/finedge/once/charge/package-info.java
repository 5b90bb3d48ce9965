/** Recovering a charge: debit the account, send the notification, and record it, once per charge id. */
@NullMarked
package com.finedge.once.charge;

import org.jspecify.annotations.NullMarked;
