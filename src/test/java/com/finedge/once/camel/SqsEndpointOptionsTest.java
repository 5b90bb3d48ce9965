package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.camel.component.aws2.sqs.Sqs2Component;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that would break the guarantees are found wherever a route can write them. */
class SqsEndpointOptionsTest {

    private final DefaultCamelContext camel = new DefaultCamelContext();

    @BeforeEach
    void name() {
        Properties properties = new Properties();
        properties.setProperty("once.charges.queue", "charges");
        camel.getPropertiesComponent().setInitialProperties(properties);
    }

    @AfterEach
    void close() throws Exception {
        camel.close();
    }

    private List<String> problems(String yaml) throws Exception {
        PluginHelper.getRoutesLoader(camel).loadRoutes(ResourceHelper.fromString("test.camel.yaml", yaml));
        SqsEndpointOptions options = new SqsEndpointOptions(camel, Set.of("charges", "charges-dlq"));
        List<String> problems = new ArrayList<>();
        camel.getRouteDefinitions().forEach(route -> problems.addAll(options.problems(route)));
        camel.getRouteConfigurationDefinitions().forEach(common -> problems.addAll(options.problems(common)));
        return problems;
    }

    private List<String> problemsOfSteps(String steps) throws Exception {
        return problems("""
                - route:
                    from:
                      uri: direct:somewhere
                      steps:
                """ + steps.indent(8));
    }

    private List<String> problemsOfConsumer(String uri) throws Exception {
        return problems("""
                - route:
                    from:
                      uri: "%s"
                      steps:
                        - log: received
                """.formatted(uri));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aws2-sqs:charges",
                "aws2-sqs://charges",
                "aws2-sqs:{{once.charges.queue}}",
                "aws2-sqs:arn:aws:sqs:eu-west-1:000000000000:charges",
                "aws2-sqs:charges?deleteAfterRead=true",
                "aws2-sqs:other?queueUrl=https://sqs.eu-west-1.amazonaws.com/000000000000/charges"
            })
    void aConsumerThatDeletesIsFoundHoweverTheQueueIsNamed(String uri) throws Exception {
        assertThat(problemsOfConsumer(uri))
                .singleElement()
                .asString()
                .startsWith("deleteAfterRead must be false on the queue ");
    }

    /** Its endpoint names a queue that only the template's parameters know. */
    @Test
    void aConsumerThatIsMadeFromATemplateIsJudgedByItsParameters() throws Exception {
        assertThat(problems("""
                        - routeTemplate:
                            id: template
                            parameters:
                              - name: commands
                            from:
                              uri: aws2-sqs
                              parameters:
                                queueNameOrArn: "{{commands}}"
                              steps:
                                - log: received
                        - templatedRoute:
                            routeId: ours
                            routeTemplateRef: template
                            parameters:
                              - name: commands
                                value: "{{once.charges.queue}}"
                        - templatedRoute:
                            routeId: not-ours
                            routeTemplateRef: template
                            parameters:
                              - name: commands
                                value: somebody-elses
                        """))
                .singleElement()
                .asString()
                .startsWith("deleteAfterRead must be false on the queue charges");
    }

    @Test
    void optionsAreFoundAmongTheParameters() throws Exception {
        assertThat(problems("""
                        - route:
                            from:
                              uri: aws2-sqs
                              parameters:
                                queueNameOrArn: "{{once.charges.queue}}"
                                deleteAfterRead: false
                                extendMessageVisibility: true
                                autoCreateQueue: true
                              steps:
                                - log: received
                        """))
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).startsWith("extendMessageVisibility=true on the queue charges "),
                        problem -> assertThat(problem).startsWith("autoCreateQueue=true on the queue charges "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- to: aws2-sqs:charges?autoCreateQueue=true",
                "- toD: aws2-sqs:charges?autoCreateQueue=true",
                "- wireTap: {uri: \"aws2-sqs:charges-dlq?autoCreateQueue=true\"}",
                "- enrich: {constant: \"aws2-sqs:charges?autoCreateQueue=true\"}",
                "- recipientList: {constant: \"aws2-sqs:charges?autoCreateQueue=true\"}",
                "- poll: {uri: \"aws2-sqs:charges?autoCreateQueue=true&deleteAfterRead=false\"}",
                "- choice: {when: [{simple: \"${body} == 'a'\", steps: "
                        + "[{to: \"aws2-sqs:charges?autoCreateQueue=true\"}]}]}",
                "- doTry: {steps: [{log: a}], doCatch: [{exception: [java.lang.Exception], steps: "
                        + "[{to: \"aws2-sqs:charges?autoCreateQueue=true\"}]}]}"
            })
    void aStepThatWouldMakeTheQueueIsFound(String step) throws Exception {
        assertThat(problemsOfSteps(step)).singleElement().asString().startsWith("autoCreateQueue=true on the queue ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"- poll: {uri: \"aws2-sqs:charges\"}", "- pollEnrich: {constant: \"aws2-sqs:charges\"}"})
    void aStepThatReceivesAndDeletesIsFound(String step) throws Exception {
        assertThat(problemsOfSteps(step))
                .singleElement()
                .asString()
                .startsWith("deleteAfterRead must be false on the queue charges");
    }

    @Test
    void whatIsCommonToRoutesIsReadToo() throws Exception {
        assertThat(problems("""
                        - routeConfiguration:
                            onException:
                              - onException:
                                  exception: [java.lang.Exception]
                                  steps:
                                    - to: aws2-sqs:charges?autoCreateQueue=true
                        """)).singleElement().asString().startsWith("autoCreateQueue=true on the queue charges");
    }

    @Test
    void whatAllEndpointsInheritIsReadToo() throws Exception {
        camel.getComponent("aws2-sqs", Sqs2Component.class).getConfiguration().setAutoCreateQueue(true);

        assertThat(problemsOfSteps("- to: aws2-sqs:charges-dlq"))
                .singleElement()
                .asString()
                .startsWith("autoCreateQueue=true on the queue charges-dlq");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- removeHeaders: {id: tidy-up, pattern: \"*\"}",
                "- setBody: {id: tidy-up, constant: gone}",
                "- bean: {id: tidy-up, ref: messages, method: toString}"
            })
    void aStepThatMayLoseTheMessageBeforeItIsKeptIsFound(String step) throws Exception {
        String keep = "\n- bean: {id: keep-message, ref: messages, method: received}\n";

        assertThat(problemsOfSteps("- threads: {poolSize: 1}" + keep + step)).isEmpty();
        assertThat(problemsOfSteps("- threads: {poolSize: 1}\n" + step + keep))
                .singleElement()
                .asString()
                .startsWith("the step tidy-up stands before the message is kept ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aws2-sqs:elsewhere",
                "aws2-sqs:elsewhere?deleteAfterRead=true&autoCreateQueue=true&extendMessageVisibility=true",
                "aws2-sqs:charges-of-others",
                "aws2-sqs:charges?deleteAfterRead=false",
                "direct:charges?deleteAfterRead=true"
            })
    void whatDoesNoHarmIsLeftAlone(String uri) throws Exception {
        assertThat(problemsOfConsumer(uri)).isEmpty();
    }

    /** Of a participant that a team has added, say: nobody told us its name, but its steps delete what they have handled. */
    @Test
    void theQueueOfARouteThatKeepsItsMessagesIsOursWhateverItsName() throws Exception {
        assertThat(problems("""
                - route:
                    from:
                      uri: "aws2-sqs:added?deleteAfterRead=true"
                      steps:
                        - bean:
                            ref: messages
                            method: received
                """))
                .singleElement()
                .asString()
                .contains("deleteAfterRead must be false on the queue added");
    }

    @Test
    void theSameRouteThatDeletesByItselfIsLeftAlone() throws Exception {
        assertThat(problems("""
                - route:
                    from:
                      uri: "aws2-sqs:added?deleteAfterRead=false"
                      steps:
                        - bean:
                            ref: messages
                            method: received
                """)).isEmpty();
    }
}
