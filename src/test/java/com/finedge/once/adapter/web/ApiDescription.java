package com.finedge.once.adapter.web;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/** The description of the API, and what in an answer it doesn't describe. */
final class ApiDescription {

    /** What every answer of a server may have. */
    private static final Set<String> OF_HTTP_ITSELF =
            Set.of("connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding", "vary");

    private final String text;
    private final JsonNode document;

    ApiDescription(String text) {
        this.text = text;
        try {
            this.document = new ObjectMapper(new YAMLFactory()).readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What makes it no valid OpenAPI document. */
    List<String> faults() {
        return new OpenAPIV3Parser()
                .readContents(text, List.of(), new ParseOptions())
                .getMessages();
    }

    JsonNode document() {
        return document;
    }

    /** What an answer has and the description hasn't, or the other way round. */
    List<String> faultsOf(Answer answer) {
        String path = names(document.path("paths")).stream()
                .filter(template -> answer.path().matches(template.replaceAll("\\{[^}]+}", "[^/]+")))
                .findFirst()
                .orElse(answer.path());
        String where = answer.method() + " " + path + " " + answer.status();
        JsonNode response = resolved(document.path("paths")
                .path(path)
                .path(answer.method().toLowerCase(Locale.ROOT))
                .path("responses")
                .path(Integer.toString(answer.status())));
        if (response.isMissingNode()) {
            return List.of(where + " is not described");
        }
        List<String> faults = new ArrayList<>();
        JsonNode headers = response.path("headers");
        for (String name : answer.response().headers().map().keySet()) {
            boolean described = names(headers).stream().anyMatch(name::equalsIgnoreCase);
            if (!described && !OF_HTTP_ITSELF.contains(name.toLowerCase(Locale.ROOT))) {
                faults.add(where + " has the header " + name);
            }
        }
        for (String name : names(headers)) {
            if (headers.path(name).path("required").asBoolean()
                    && answer.header(name).isEmpty()) {
                faults.add(where + " lacks the header " + name);
            }
        }
        if (answer.response().body().isEmpty() && response.path("content").isMissingNode()) {
            return faults;
        }
        String type = answer.header("Content-Type").orElse("none");
        JsonNode schema = response.path("content").path(type).path("schema");
        if (schema.isMissingNode()) {
            faults.add(where + " has the content type " + type);
        } else {
            ObjectNode whole = schema.deepCopy();
            whole.set("components", document.path("components"));
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(whole)
                    .validate(answer.json())
                    .stream()
                    .map(ValidationMessage::getMessage)
                    .forEach(message -> faults.add(where + " " + message));
        }
        return faults;
    }

    private JsonNode resolved(JsonNode response) {
        String reference = response.path("$ref").asText();
        return reference.isEmpty() ? response : document.at(reference.substring(1));
    }

    private static Set<String> names(JsonNode object) {
        Iterable<String> names = object::fieldNames;
        return StreamSupport.stream(names.spliterator(), false).collect(toCollection(TreeSet::new));
    }
}
