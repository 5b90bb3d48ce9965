package com.finedge.once.architecture.samples.adapter.web;

import com.finedge.once.architecture.samples.adapter.dynamodb.SomeStore;

interface SeesTheStore {
    SomeStore sees();
}
