package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.finedge.once.config.Role;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is deployed on Kubernetes, as kustomize makes it, checked without a cluster. */
class KubernetesManifestsIT {

    private static final Path KUBERNETES = Path.of("deploy/kubernetes");
    private static final Path RULES = Path.of("deploy/prometheus/once.rules.yaml");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final int LIMIT_SECONDS = 60;

    /** Fabric8 keeps what it doesn't know beside what it knows, and would write it again. */
    private static final ObjectMapper KNOWN_FIELDS = new ObjectMapper()
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnyGetter(Annotated getter) {
                    return false;
                }
            });

    /** Kinds that Kubernetes itself doesn't have; their fields stand in small schemas of our own. */
    private static final Set<String> OTHERS =
            Set.of("PodMonitor", "PrometheusRule", "ScaledObject", "TriggerAuthentication", "Integration");

    @TempDir
    Path folder;

    @BeforeAll
    static void kustomizeIsThere() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "kubectl"))),
                "there is no kubectl on the path, which makes the manifests");
    }

    private List<JsonNode> kustomized(Path of) throws Exception {
        Path output = folder.resolve("manifests.yaml");
        Path problems = folder.resolve("problems");
        Process kubectl = new ProcessBuilder("kubectl", "kustomize", of.toString())
                .redirectOutput(output.toFile())
                .redirectError(problems.toFile())
                .start();
        assertThat(kubectl.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(kubectl.exitValue()).as(Files.readString(problems)).isZero();
        return documents(Files.readString(output));
    }

    private static List<JsonNode> documents(String yaml) {
        try (var parser = YAML.getFactory().createParser(yaml)) {
            List<JsonNode> documents = new ArrayList<>();
            YAML.readValues(parser, JsonNode.class).forEachRemaining(documents::add);
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A field that the kind hasn't is a typing mistake, and would be ignored or refused only by a cluster. */
    private static List<String> faults(JsonNode manifest) {
        String kind = manifest.path("kind").asText();
        if (OTHERS.contains(kind)) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(KubernetesManifestsIT.class.getResourceAsStream(
                            "/kubernetes/" + kind.toLowerCase(Locale.ROOT) + ".schema.json"))
                    .validate(manifest)
                    .stream()
                    .map(ValidationMessage::getMessage)
                    .map(message -> kind + " " + message)
                    .toList();
        }
        KubernetesSerialization kubernetes = new KubernetesSerialization();
        Object read = Objects.requireNonNull(kubernetes.unmarshal(manifest.toString()));
        assertThat(read).as(kind).isInstanceOf(HasMetadata.class);
        assertThat(read.getClass().getSimpleName()).isEqualTo(kind);
        // What was understood, written again, has every field that the manifest has.
        List<String> faults = new ArrayList<>();
        missing(manifest, KNOWN_FIELDS.valueToTree(read), kind, faults);
        return faults;
    }

    private static void missing(JsonNode given, JsonNode understood, String where, List<String> faults) {
        if (given.isObject()) {
            given.fieldNames().forEachRemaining(name -> {
                JsonNode value = given.path(name);
                boolean empty = value.isContainerNode() && value.isEmpty();
                if (!understood.has(name) && !empty) {
                    faults.add(where + " has no field " + name);
                } else {
                    missing(value, understood.path(name), where + "." + name, faults);
                }
            });
        } else if (given.isArray()) {
            for (int i = 0; i < given.size(); i++) {
                missing(given.path(i), understood.path(i), where + "[" + i + "]", faults);
            }
        }
    }

    private static List<JsonNode> of(List<JsonNode> manifests, String kind) {
        return manifests.stream()
                .filter(manifest -> manifest.path("kind").asText().equals(kind))
                .toList();
    }

    @Test
    void eachManifestIsRight() throws Exception {
        for (Path overlay :
                List.of(KUBERNETES.resolve("overlays/production"), KUBERNETES.resolve("overlays/camel-k"))) {
            for (JsonNode manifest : kustomized(overlay)) {
                assertThat(faults(manifest))
                        .as("%s", manifest.at("/metadata/name"))
                        .isEmpty();
            }
        }
    }

    @Test
    void aMistypedFieldIsFound() {
        assertThat(faults(documents("""
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: once}
                        spec:
                          template:
                            spec:
                              containers:
                                - name: once
                                  readinesProbe: {httpGet: {path: /, port: 1}}
                        """).getFirst()))
                .containsExactly("Deployment.spec.template.spec.containers[0] has no field readinesProbe");
        assertThat(faults(documents("""
                        apiVersion: keda.sh/v1alpha1
                        kind: ScaledObject
                        metadata: {name: once}
                        spec: {scaleTargetRef: {name: once}, minReplicas: 1, triggers: []}
                        """).getFirst())).anyMatch(fault -> fault.contains("minReplicas"));
    }

    @Test
    void eachRoleIsADeploymentThatSaysSo() throws Exception {
        List<JsonNode> deployments = of(kustomized(KUBERNETES.resolve("overlays/production")), "Deployment");

        List<String> roles = Stream.of(Role.values())
                .map(role -> role.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        assertThat(deployments)
                .extracting(deployment -> deployment.at("/metadata/name").asText())
                .containsExactlyInAnyOrderElementsOf(
                        roles.stream().map(role -> "once-" + role).toList());
        for (JsonNode deployment : deployments) {
            JsonNode pod = deployment.at("/spec/template/spec");
            String role = StreamSupport.stream(pod.at("/containers/0/env").spliterator(), false)
                    .filter(variable -> variable.path("name").asText().equals("ONCE_ROLES"))
                    .map(variable -> variable.path("value").asText())
                    .findFirst()
                    .orElse("");
            assertThat(deployment.at("/metadata/name").asText()).isEqualTo("once-" + role);
            assertThat(pod.path("serviceAccountName").asText()).isEqualTo("once-" + role);
            assertThat(deployment.path("spec").has("replicas")).isFalse();
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem")
                            .asBoolean())
                    .isTrue();
            // once.shutdown-grace, once.charges.poll-wait and once.charges.flush-timeout by default, and the preStop
            // hook.
            assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isGreaterThan(30 + 5 + 10 + 5);
        }
    }

    /** Pods of two roles that acted as one would have the rights of both. */
    @Test
    void eachRoleHasAServiceAccountThatActsAsAnIamRoleOfItsOwn() throws Exception {
        List<JsonNode> accounts = of(kustomized(KUBERNETES.resolve("overlays/production")), "ServiceAccount");

        assertThat(accounts).hasSize(Role.values().length);
        for (JsonNode account : accounts) {
            assertThat(account.at("/metadata/annotations/eks.amazonaws.com~1role-arn")
                            .asText())
                    .endsWith(":role/" + account.at("/metadata/name").asText());
        }
    }

    @Test
    void theIntegrationHasTheSettingsOfTheDeployments() throws Exception {
        JsonNode settings = of(kustomized(KUBERNETES.resolve("overlays/production")), "ConfigMap")
                .getFirst()
                .path("data");
        List<String> given = new ArrayList<>();
        of(kustomized(KUBERNETES.resolve("overlays/camel-k")), "Integration")
                .getFirst()
                .at("/spec/traits/environment/vars")
                .forEach(variable -> given.add(variable.asText()));

        List<String> wanted = new ArrayList<>();
        settings.properties()
                .forEach(setting ->
                        wanted.add(setting.getKey() + "=" + setting.getValue().asText()));
        // Charge recovery has no database.
        wanted.removeIf(setting -> setting.startsWith("SPRING_"));
        assertThat(wanted).hasSizeGreaterThanOrEqualTo(4);
        assertThat(given).containsAll(wanted);
    }

    @Test
    void theAlertsAreThoseThatAreTested() throws Exception {
        JsonNode rule = of(kustomized(KUBERNETES.resolve("overlays/production")), "PrometheusRule")
                .getFirst();

        assertThat(rule.path("spec"))
                .as("made by build/prometheus-rule")
                .isEqualTo(YAML.readTree(Files.readString(RULES, StandardCharsets.UTF_8)));
    }
}
