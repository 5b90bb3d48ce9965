package com.finedge.once.bench;

/** One kind of request, for instance {@code SQS ReceiveMessage}. */
record Call(Api api, String operation) {}
