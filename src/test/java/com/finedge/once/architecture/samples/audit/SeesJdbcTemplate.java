package com.finedge.once.architecture.samples.audit;

import org.springframework.jdbc.core.JdbcTemplate;

interface SeesJdbcTemplate {
    JdbcTemplate sees();
}
