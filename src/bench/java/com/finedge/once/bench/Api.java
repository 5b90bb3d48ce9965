package com.finedge.once.bench;

/** A service that the stub stands for. */
enum Api {
    SQS,
    DYNAMODB,
    BANK,
    NOTIFICATIONS
}
