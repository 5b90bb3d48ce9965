/** The messages that cross a queue, each of them valid once it exists; needs nothing but the JDK. */
package com.finedge.once.contract;
