package com.finedge.once.architecture.samples.charge;

import org.springframework.context.ApplicationContext;

interface SeesSpring {
    ApplicationContext sees();
}
