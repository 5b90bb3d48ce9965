package com.finedge.once.architecture.samples.config;

public interface SomeProperties {}
