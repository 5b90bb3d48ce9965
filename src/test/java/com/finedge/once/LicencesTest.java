package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

/** What the application is made of, by the bill of materials in its jar, may be used by anybody. */
class LicencesTest {

    /** Of the licences that a component offers, one of these is enough. */
    private static final Set<String> OPEN = Set.of(
            "0BSD",
            "Apache-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            "CC0-1.0",
            "EPL-1.0",
            "EPL-2.0",
            "ISC",
            "MIT",
            "MIT-0",
            "GPL-2.0-with-classpath-exception",
            "PostgreSQL",
            "UPL-1.0");

    private static JsonNode components() throws Exception {
        return new ObjectMapper()
                .readTree(new ClassPathResource("META-INF/sbom/application.cdx.json").getInputStream())
                .path("components");
    }

    private static List<String> licences(JsonNode component) {
        List<String> licences = new ArrayList<>();
        component.path("licenses").forEach(licence -> {
            licences.add(licence.at("/license/id").asText());
            licences.add(licence.at("/license/name").asText());
            licences.add(licence.path("expression").asText());
        });
        licences.removeIf(String::isEmpty);
        return licences;
    }

    @Test
    void eachLibraryHasAnOpenLicence() throws Exception {
        assertThat(components()).hasSizeGreaterThan(100);
        for (JsonNode component : components()) {
            assertThat(licences(component))
                    .as("%s", component.path("purl").asText())
                    .containsAnyElementsOf(OPEN);
        }
    }

    @Test
    void whatIsMeantForTestsIsNotShipped() throws Exception {
        assertThat(components())
                .extracting(component -> component.path("group").asText())
                .doesNotContain("org.elasticmq", "io.zonky.test", "org.wiremock", "org.junit.jupiter", "org.mockito");
    }
}
