package com.finedge.once.dev;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The services for the tests of one JVM: started at the first need, stopped when the JVM ends. */
public final class LocalServices {

    private static @Nullable LocalServices shared;

    private final ElasticMqServer sqsServer = ElasticMqServer.start(0);
    private final DynaliteServer dynamoDbServer = DynaliteServer.start(0);
    private final CoreBankingSimulator bank = CoreBankingSimulator.start(0);
    private final SqsClient sqs = LocalAws.sqs(sqsServer.endpoint());
    private final DynamoDbClient dynamoDb = LocalAws.dynamoDb(dynamoDbServer.endpoint());

    private @Nullable PostgresServer postgres;

    private LocalServices() {}

    /**
     * The services of this JVM, whose system properties are given the credentials that they accept.
     *
     * @throws ServiceStartException when one of them can't start
     */
    public static synchronized LocalServices shared() {
        LocalServices services = shared;
        if (services == null) {
            LocalAws.useLocalCredentials();
            services = new LocalServices();
            Runtime.getRuntime().addShutdownHook(new Thread(services::stop, "local-services-stop"));
            shared = services;
        }
        return services;
    }

    /** A client of the queues. */
    public SqsClient sqs() {
        return sqs;
    }

    /** A client of the tables. */
    public DynamoDbClient dynamoDb() {
        return dynamoDb;
    }

    /** The bank; it is shared, so a test looks only at charges whose ids are its own. */
    public CoreBankingSimulator bank() {
        return bank;
    }

    /** The PostgreSQL server; started when it is first asked for, since most tests need none. */
    public synchronized PostgresServer postgres() {
        PostgresServer server = postgres;
        if (server == null) {
            server = PostgresServer.start(0);
            postgres = server;
        }
        return server;
    }

    /** A pair of queues and a table of one's own, so that test classes don't disturb one another. */
    public LocalResources fresh() {
        return create(LocalResources.unique());
    }

    /** Makes these queues and this table. */
    public LocalResources create(LocalResources resources) {
        return resources.createIn(sqs, dynamoDb);
    }

    /** The URL of a queue. */
    public String queueUrl(String queue) {
        return sqs.getQueueUrl(r -> r.queueName(queue)).queueUrl();
    }

    /** The application's settings that lead it here, credentials for a JVM of its own included (as {@code -D}). */
    public Map<String, String> properties() {
        var all = new HashMap<>(LocalAws.credentials());
        all.put("once.aws.region", LocalAws.REGION.id());
        all.put("once.aws.sqs-endpoint", sqsServer.endpoint().toString());
        all.put("once.aws.dynamodb-endpoint", dynamoDbServer.endpoint().toString());
        all.put("once.core-banking.url", bank.endpoint().toString());
        all.put("once.notifications.url", bank.endpoint().toString());
        return Map.copyOf(all);
    }

    /** The same, with the names of these resources. */
    public Map<String, String> properties(LocalResources resources) {
        var all = new HashMap<>(properties());
        all.putAll(resources.properties());
        return Map.copyOf(all);
    }

    private synchronized void stop() {
        if (postgres != null) {
            postgres.close();
        }
        sqs.close();
        dynamoDb.close();
        bank.close();
        dynamoDbServer.close();
        sqsServer.close();
    }
}
