package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.SagaChaos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes killed at random while they bring orders through, or back. */
class SagaChaosIT {

    /** {@code -Donce.test.orders=1000 -Donce.test.kills=50} for the full length, or {@code make chaos}. */
    private static final int ORDERS = Integer.getInteger("once.test.orders", 60);

    private static final int KILLS = Integer.getInteger("once.test.kills", 3);

    @Test
    void nobodyIsChargedForNothingWhoeverIsKilledWhenever() {
        List<String> said = new ArrayList<>();
        SagaChaos chaos = new SagaChaos(ORDERS, KILLS, Duration.ofMinutes(2));

        assertThat(chaos.run(said::add)).as("%s", said).isEmpty();
    }
}
