package com.finedge.once.architecture.samples.charge;

import java.sql.Connection;

interface SeesJdbc {
    Connection sees();
}
