package com.finedge.once.architecture.samples.claim;

import org.springframework.context.ApplicationContext;

interface SeesSpring {
    ApplicationContext sees();
}
