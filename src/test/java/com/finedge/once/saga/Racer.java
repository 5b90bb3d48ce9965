package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.ReplyOutcome.REFUSED;
import static com.finedge.once.saga.ReplyOutcome.SUCCEEDED;

import com.finedge.once.dev.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A process that applies one answer to each of many sagas, at the very time at which another applies its own: before either
 * takes a saga's lock, they meet in a table.
 */
final class Racer {

    /** Made by whoever starts the two. */
    static final String MEETINGS = """
            CREATE TABLE meeting (saga_id uuid, racer text, PRIMARY KEY (saga_id, racer));
            GRANT ALL ON meeting TO PUBLIC""";

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Racer() {}

    /** What a racer has to say in a round: in every other both say the same, in the rest they contradict each other. */
    static ReplyOutcome says(String racer, int round) {
        return agree(round) || racer.equals("one") ? SUCCEEDED : REFUSED;
    }

    static boolean agree(int round) {
        return round % 2 == 0;
    }

    static String order(int round) {
        return "O-" + round;
    }

    /** @param args the racer, the database and its port, how many rounds, and whether with locks or without */
    public static void main(String[] args) {
        String racer = args[0];
        PostgresServer.Database database = new PostgresServer.Database(args[1], Integer.parseInt(args[2]));
        boolean locked = Boolean.parseBoolean(args[4]);
        try (HikariDataSource pool = database.pool(1)) {
            JdbcClient meetings = JdbcClient.create(pool);
            UUID[] next = new UUID[1];
            Runnable meet = () -> meet(meetings, next[0], racer);
            SagaBed bed = SagaBed.at(
                    database, store -> locked ? new Meeting(store, meet) : new UnlockedSagaStore(store, meet));
            for (int round = 0; round < Integer.parseInt(args[3]); round++) {
                String order = order(round);
                next[0] = SagaBed.id(order);
                String result;
                try {
                    result = bed.reply(racer + ":" + order, order, "payment", DO, says(racer, round))
                                    instanceof SagaResult.Decided decided
                            ? decided.disposition().name()
                            : "NONE";
                } catch (RuntimeException e) {
                    // Without locks this is to be expected; with them the test will not find what it looks for.
                    result = e.getClass().getSimpleName();
                }
                System.out.printf("round %d %s%n", round, result);
            }
        }
    }

    /** Everyone has begun a transaction by now, with the message in the inbox. */
    private record Meeting(SagaStore store, Runnable meet) implements ForwardingSagaStore {

        @Override
        public Optional<Saga> lock(UUID sagaId) {
            meet.run();
            return store.lock(sagaId);
        }
    }

    private static void meet(JdbcClient meetings, UUID sagaId, String racer) {
        meetings.sql("INSERT INTO meeting VALUES (?, ?)").params(sagaId, racer).update();
        Instant end = Instant.now().plus(LONGEST);
        while (meetings.sql("SELECT count(*) FROM meeting WHERE saga_id = ?")
                        .param(sagaId)
                        .query(Integer.class)
                        .single()
                < 2) {
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException("the other racer hasn't come");
            }
            Thread.onSpinWait();
        }
    }
}
