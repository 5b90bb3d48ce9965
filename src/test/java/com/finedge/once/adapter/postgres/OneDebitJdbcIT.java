package com.finedge.once.adapter.postgres;

import com.finedge.once.charge.OneDebitContract;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.LocalServices;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class OneDebitJdbcIT extends OneDebitContract {

    private final HikariDataSource pool =
            LocalServices.shared().postgres().fresh().migrated().pool(10);

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    protected ClaimStore store() {
        return new JdbcClaimStore(pool, Duration.ofSeconds(5));
    }
}
