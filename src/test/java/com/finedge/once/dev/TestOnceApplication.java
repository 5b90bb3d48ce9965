package com.finedge.once.dev;

import com.finedge.once.OnceApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/** Starts Once with all its back ends on this machine; {@code make run} calls it. */
public final class TestOnceApplication {

    private TestOnceApplication() {}

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        SpringApplication.from(OnceApplication::main)
                .with(DevelopmentServices.class, Directions.class)
                .run(args);
    }

    /** Says where everything is and what to try. */
    static final class Directions {

        private static final String EXAMPLE_CHARGE = """
                {"schemaVersion":1,"eventId":"EVT-1","chargeId":"CHG-1001","accountId":"ACC-42",\
                "chargeType":"SMS_ALERT_FEE","amount":"19.90","currency":"EUR",\
                "dueAt":"2026-03-01T00:00:00Z","occurredAt":"2026-03-01T10:00:00Z"}""";

        private static final String EXAMPLE_REQUEST = """
                {"chargeId":"CHG-1000","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"19.90",\
                "currency":"EUR","dueAt":"2026-03-01T00:00:00Z"}""";

        @Bean
        ApplicationListener<ApplicationReadyEvent> directions(
                ElasticMqServer sqsServer,
                DynaliteServer dynamoDbServer,
                CoreBankingSimulator coreBanking,
                PostgresServer.Database postgresDatabase,
                LocalResources localResources) {
            return ready -> System.out.printf(
                    """

                    Once is running, until Ctrl-C, with
                      SQS           %1$s  (queues %4$s, %5$s)
                      DynamoDB      %2$s  (table %6$s)
                      PostgreSQL    %8$s
                      core banking  %3$s
                      the console   http://127.0.0.1:8081/console  (as viewer or operator; the passwords stand above)

                    Raise a charge, then see what became of it, and what was debited and notified:
                      curl -s http://127.0.0.1:8080/charges -H 'Content-Type: application/json' -H 'Idempotency-Key: "1"' -d '%9$s'
                      curl -s http://127.0.0.1:8080/charges/CHG-1000
                      curl -s '%3$s/debits?chargeId=CHG-1000'

                    Or send one to the queue, as often as you like:
                      curl -s %1$s/000000000000/%4$s -d Action=SendMessage --data-urlencode MessageBody='%7$s'
                      curl -s '%3$s/debits?chargeId=CHG-1001'
                      curl -s '%3$s/notifications?chargeId=CHG-1001'

                    """,
                    sqsServer.endpoint(),
                    dynamoDbServer.endpoint(),
                    coreBanking.endpoint(),
                    localResources.queue(),
                    localResources.deadLetterQueue(),
                    localResources.table(),
                    EXAMPLE_CHARGE,
                    postgresDatabase.url(),
                    EXAMPLE_REQUEST);
        }
    }
}
