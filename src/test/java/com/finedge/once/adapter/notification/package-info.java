/** What the notification service's answers mean. */
@NullMarked
package com.finedge.once.adapter.notification;

import org.jspecify.annotations.NullMarked;
