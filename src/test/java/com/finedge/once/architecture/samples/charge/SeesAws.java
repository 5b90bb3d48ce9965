package com.finedge.once.architecture.samples.charge;

import software.amazon.awssdk.services.sqs.SqsClient;

interface SeesAws {
    SqsClient sees();
}
