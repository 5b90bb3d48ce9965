package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadTest {

    @Test
    void oneMessageInTenRepeatsAnEarlierChargeWithTheSameContentAndAnEventOfItsOwn() throws IOException {
        Workload workload = Workload.of(5_000, 10);

        Map<String, JsonNode> firsts = new HashMap<>();
        int repeats = 0;
        for (String body : workload.bodies()) {
            JsonNode message = new ObjectMapper().readTree(body);
            JsonNode first = firsts.putIfAbsent(message.path("chargeId").asText(), message);
            if (first != null) {
                repeats++;
                assertThat(message.path("amount")).isEqualTo(first.path("amount"));
                assertThat(message.path("accountId")).isEqualTo(first.path("accountId"));
                assertThat(message.path("eventId")).isNotEqualTo(first.path("eventId"));
            }
        }
        assertThat(repeats).isEqualTo(500);
        assertThat(workload.charges()).isEqualTo(4_500).isEqualTo(firsts.size());
    }

    @Test
    void withoutDuplicatesEveryMessageIsACharge() {
        assertThat(Workload.of(100, 0).charges()).isEqualTo(100);
    }
}
