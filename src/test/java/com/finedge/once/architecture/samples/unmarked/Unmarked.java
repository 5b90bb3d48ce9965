package com.finedge.once.architecture.samples.unmarked;

interface Unmarked {}
