package com.finedge.once.architecture.samples.camel;

public interface SomeSteps {}
