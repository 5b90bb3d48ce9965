package com.finedge.once.architecture.samples.contract;

import org.slf4j.Logger;

interface SeesSlf4j {
    Logger sees();
}
