package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.OnceApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.Stream;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;

@ExtendWith(OutputCaptureExtension.class)
class DevelopmentServicesIT {

    /** Reads the endpoints in the two ways in which the application does. */
    @EnableConfigurationProperties(Endpoints.class)
    static class Reader {

        @Bean
        RoutesBuilder endpointByPlaceholder() {
            return new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:sqs-endpoint").routeId("sqs-endpoint").setBody(constant("{{once.aws.sqs-endpoint}}"));
                }
            };
        }
    }

    @ConfigurationProperties("once.aws")
    record Endpoints(String sqsEndpoint, String dynamodbEndpoint) {}

    @BeforeEach
    void credentials() {
        LocalAws.useLocalCredentials();
    }

    @Test
    void theApplicationFindsTheServicesAndTheirResourcesReady(CapturedOutput output) {
        try (var application = start()) {
            String sqsEndpoint =
                    application.getBean(ElasticMqServer.class).endpoint().toString();
            var endpoints = application.getBean(Endpoints.class);
            assertThat(endpoints.sqsEndpoint()).isEqualTo(sqsEndpoint);
            assertThat(endpoints.dynamodbEndpoint())
                    .isEqualTo(
                            application.getBean(DynaliteServer.class).endpoint().toString());
            assertThat(application
                            .getBean(ProducerTemplate.class)
                            .requestBody("direct:sqs-endpoint", null, String.class))
                    .isEqualTo(sqsEndpoint);
            try (var sqs = LocalAws.sqs(
                            application.getBean(ElasticMqServer.class).endpoint());
                    var dynamoDb = LocalAws.dynamoDb(
                            application.getBean(DynaliteServer.class).endpoint())) {
                assertThat(sqs.listQueues().queueUrls())
                        .containsExactlyInAnyOrderElementsOf(
                                Stream.concat(Stream.of("charges"), OrderQueues.STANDARD.all().stream())
                                        .flatMap(queue -> Stream.of(queue, queue + "-dlq"))
                                        .map(queue -> sqsEndpoint + "/000000000000/" + queue)
                                        .toList());
                assertThat(dynamoDb.listTables().tableNames()).containsExactly("once-claims");
            }
            assertThat(output).contains("curl -s " + sqsEndpoint + "/000000000000/charges -d Action=SendMessage");
        }
    }

    @Test
    void theServicesStopWithTheApplication() {
        ProcessHandle node;
        try (var application = start()) {
            node = ProcessHandle.of(application.getBean(DynaliteServer.class).pid())
                    .orElseThrow();
        }
        assertThat(node.isAlive()).isFalse();
    }

    @Test
    void aPortThatIsTakenEndsTheStartWithOneSentence(CapturedOutput output) throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start("--once.dev.dynamodb-port=" + taken.getLocalPort()))
                    .hasRootCauseInstanceOf(ServiceStartException.class);

            assertThat(output)
                    .contains("dynalite (DynamoDB) can't start: port %d on 127.0.0.1 is taken by another process."
                            .formatted(taken.getLocalPort()))
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void theApplicationsComponentScanFindsNothingHere() {
        var scan = new ClassPathScanningCandidateComponentProvider(true);

        assertThat(scan.findCandidateComponents(DevelopmentServices.class.getPackageName()))
                .isEmpty();
    }

    private static ConfigurableApplicationContext start(String... args) {
        var all = new String[args.length + 3];
        all[0] = "--server.address=127.0.0.1";
        all[1] = "--server.port=0";
        all[2] = "--management.server.port=0";
        System.arraycopy(args, 0, all, 3, args.length);
        return SpringApplication.from(OnceApplication::main)
                .with(DevelopmentServices.class, TestOnceApplication.Directions.class, Reader.class)
                .run(all)
                .getApplicationContext();
    }
}
