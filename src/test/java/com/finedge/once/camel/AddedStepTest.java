package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/sagas.md says about adding a step is what {@code SagaVersionsIT} runs. */
class AddedStepTest {

    private static final Path DOCUMENT = Path.of("docs/sagas.md");
    private static final Path FIRST = Path.of("src/main/resources/sagas/order-fulfilment.v1.yaml");
    private static final Path ADDED = Path.of("src/test/resources/fraud-check");
    private static final Path SOURCE = Path.of("src/test/java/com/finedge/once/camel/FraudSteps.java");

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private static String added(String file) throws IOException {
        return Files.readString(ADDED.resolve(file));
    }

    @Test
    void theDocumentShowsTheFilesToTheLetter() throws IOException {
        List<String> yaml = blocks("yaml");

        assertThat(yaml).hasSize(4);
        assertThat(yaml.subList(1, 4))
                .containsExactly(
                        added("fraud-check-participant.camel.yaml"),
                        added("check-fraud.camel.yaml"),
                        added("withdraw-fraud-check.camel.yaml"));
        assertThat(blocks("java")).containsExactly(Files.readString(SOURCE));
    }

    @Test
    void theSecondVersionIsTheFirstWithTheStepOfTheDocument() throws IOException {
        String before = "  - name: stock\n";

        assertThat(withoutFirstComment(added("order-fulfilment.v2.yaml")))
                .isEqualTo(withoutFirstComment(Files.readString(FIRST))
                        .replace("\nversion: 1\n", "\nversion: 2\n")
                        .replace(before, blocks("yaml").getFirst() + "\n" + before));
    }

    private static String withoutFirstComment(String definition) {
        return definition.substring(definition.indexOf("saga:"));
    }
}
