package com.finedge.once.architecture.samples.claim;

public interface SomeClaim {}
