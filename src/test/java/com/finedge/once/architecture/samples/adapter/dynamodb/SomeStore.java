package com.finedge.once.architecture.samples.adapter.dynamodb;

public interface SomeStore {}
