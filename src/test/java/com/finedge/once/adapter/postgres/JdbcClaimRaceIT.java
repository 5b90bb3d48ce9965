package com.finedge.once.adapter.postgres;

import com.finedge.once.claim.ClaimRaceContract;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.LocalServices;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class JdbcClaimRaceIT extends ClaimRaceContract {

    private final HikariDataSource pool =
            LocalServices.shared().postgres().fresh().migrated().pool(10);
    private final ClaimStore store = new JdbcClaimStore(pool, Duration.ofSeconds(5));

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    protected ClaimStore store() {
        return store;
    }

    @Override
    protected int rounds() {
        return 150;
    }
}
