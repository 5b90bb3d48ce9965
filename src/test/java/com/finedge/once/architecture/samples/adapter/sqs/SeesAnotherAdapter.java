package com.finedge.once.architecture.samples.adapter.sqs;

import com.finedge.once.architecture.samples.adapter.dynamodb.SomeStore;

interface SeesAnotherAdapter {
    SomeStore sees();
}
