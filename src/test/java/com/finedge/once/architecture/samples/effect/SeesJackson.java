package com.finedge.once.architecture.samples.effect;

import com.fasterxml.jackson.databind.ObjectMapper;

interface SeesJackson {
    ObjectMapper sees();
}
