package com.finedge.once.architecture.samples.metrics;

public interface SomeMeters {}
