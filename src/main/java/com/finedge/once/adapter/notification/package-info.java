/** Sends notifications through the notification service, over HTTP. */
@NullMarked
package com.finedge.once.adapter.notification;

import org.jspecify.annotations.NullMarked;
