package com.finedge.once.architecture.samples.charge;

import com.fasterxml.jackson.databind.ObjectMapper;

interface SeesJackson {
    ObjectMapper sees();
}
