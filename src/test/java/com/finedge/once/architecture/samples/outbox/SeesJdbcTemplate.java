package com.finedge.once.architecture.samples.outbox;

import org.springframework.dao.DataAccessException;

interface SeesJdbcTemplate {
    DataAccessException sees();
}
