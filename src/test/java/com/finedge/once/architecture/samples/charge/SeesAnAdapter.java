package com.finedge.once.architecture.samples.charge;

import com.finedge.once.architecture.samples.adapter.dynamodb.SomeStore;

interface SeesAnAdapter {
    SomeStore sees();
}
