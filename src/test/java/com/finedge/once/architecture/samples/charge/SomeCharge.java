package com.finedge.once.architecture.samples.charge;

public interface SomeCharge {}
