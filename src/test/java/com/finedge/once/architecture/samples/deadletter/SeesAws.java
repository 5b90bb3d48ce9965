package com.finedge.once.architecture.samples.deadletter;

import software.amazon.awssdk.services.sqs.SqsClient;

interface SeesAws {
    SqsClient sees();
}
