package com.finedge.once.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * The messages of a run.
 *
 * @param charges how many charges there are; the messages beyond that repeat one of them
 */
record Workload(List<String> bodies, int charges) {

    /** A few repeats come while their charge is being worked on, most when it is done: SQS repeats after a visibility. */
    private static final int REPEATED_WITHIN = 10_000;

    /** A message in so many repeats a charge; what repeats which is the same in every run. */
    static Workload of(int messages, int duplicatePercent) {
        Random random = new Random(1);
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<String> bodies = new ArrayList<>(messages);
        int charges = 0;
        for (int i = 0; i < messages; i++) {
            boolean repeats = charges > 0 && (i + 1L) * duplicatePercent / 100 > (long) i * duplicatePercent / 100;
            int charge = repeats ? charges - 1 - random.nextInt(Math.min(charges, REPEATED_WITHIN)) : charges++;
            bodies.add(body(charge, now));
        }
        return new Workload(bodies, charges);
    }

    static String chargeId(int charge) {
        return "CHG-" + charge;
    }

    /** @param charge which charge it announces, from 0 */
    static String body(int charge, Instant now) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("schemaVersion", 1)
                .put("eventId", UUID.randomUUID().toString())
                .put("chargeId", chargeId(charge))
                .put("accountId", "ACC-" + charge % 1_000)
                .put("chargeType", "SMS_ALERT_FEE")
                .put("amount", 1 + charge % 90 + ".90")
                .put("currency", "EUR")
                .put("dueAt", now.toString())
                .put("occurredAt", now.toString())
                .toString();
    }
}
