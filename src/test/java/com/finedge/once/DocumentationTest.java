package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents name only tests, files, log lines and link targets that exist. */
class DocumentationTest {

    static List<Path> documents() {
        return Document.all().stream().map(Document::path).toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everythingThatADocumentNamesIsThere(Path path) {
        assertThat(Document.read(path).faults()).isEmpty();
    }

    @Test
    void thePromisesAreAmongTheDocuments() {
        assertThat(documents())
                .contains(Path.of("README.md"), Path.of("docs/guarantees.md"), Path.of("docs/failure-modes.md"));
        assertThat(Document.read(Path.of("docs/guarantees.md")).code())
                .contains("EndToEndIT.theSameMessageFiveTimesIsOneDebitAndOneDone");
    }

    /** A check that finds nothing in this sample would find nothing anywhere. */
    @Test
    void whatIsNotThereIsFound() {
        assertThat(Document.read(Path.of("src/test/resources/documentation/broken.md"))
                        .faults())
                .containsExactly(
                        "no test class NoSuchTest",
                        "no test class NoSuchIT",
                        "no test DocumentationTest.noSuchMethod",
                        "no test DocumentationTest.documents",
                        "nothing logs {}: was never written",
                        "no file src/main/java/NoSuchFile.java",
                        "no file no-such-file.yaml",
                        "no target of the link no-such-document.md",
                        "no target of the link sound.md#no-such-heading",
                        "no target of the link #no-such-heading");
    }

    @Test
    void whatIsThereIsFoundToo() {
        assertThat(Document.read(Path.of("src/test/resources/documentation/sound.md"))
                        .faults())
                .isEmpty();
    }
}
