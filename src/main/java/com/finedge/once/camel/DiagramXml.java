package com.finedge.once.camel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.TypeConverter;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.RoutesDefinition;
import org.apache.camel.model.TryDefinition;
import org.apache.camel.xml.LwModelToXMLDumper;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Routes as XML that Hawtio can draw: with what catches in a {@code doTry}, which Camel leaves out where a route came from
 * YAML, and without a route's error handler, at which Hawtio's drawing fails.
 */
public final class DiagramXml extends LwModelToXMLDumper {

    @Override
    public String dumpModelAsXml(
            CamelContext camel, NamedNode model, boolean resolved, boolean generatedIds, boolean locations)
            throws Exception {
        TypeConverter convert = camel.getTypeConverter();
        String xml = super.dumpModelAsXml(camel, model, resolved, generatedIds, locations);
        Document document = convert.mandatoryConvertTo(Document.class, xml);
        elements(document, "errorHandler")
                .forEach(handler -> handler.getParentNode().removeChild(handler));
        for (TryDefinition attempt : attempts(model)) {
            Element drawn = find(document, attempt).orElseThrow();
            for (ProcessorDefinition<?> catching : catching(attempt)) {
                if (find(document, catching).isEmpty()) {
                    String more = super.dumpModelAsXml(camel, catching, resolved, generatedIds, locations);
                    drawn.appendChild(document.importNode(
                            convert.mandatoryConvertTo(Document.class, more).getDocumentElement(), true));
                }
            }
        }
        return convert.mandatoryConvertTo(String.class, document);
    }

    private static List<TryDefinition> attempts(NamedNode model) {
        List<RouteDefinition> routes = switch (model) {
            case RouteDefinition route -> List.of(route);
            case RoutesDefinition all -> all.getRoutes();
            default -> List.of();
        };
        return routes.stream()
                .flatMap(route ->
                        ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), TryDefinition.class).stream())
                .toList();
    }

    private static List<ProcessorDefinition<?>> catching(TryDefinition attempt) {
        List<ProcessorDefinition<?>> catching = new ArrayList<>(attempt.getCatchClauses());
        Optional.ofNullable(attempt.getFinallyClause()).ifPresent(catching::add);
        return catching;
    }

    private static Optional<Element> find(Document document, ProcessorDefinition<?> step) {
        return elements(document, step.getShortName()).stream()
                .filter(element -> Objects.equals(element.getAttribute("id"), step.getId()))
                .findFirst();
    }

    private static List<Element> elements(Document document, String name) {
        var found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }
}
