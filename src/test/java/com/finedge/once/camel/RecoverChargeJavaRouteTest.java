package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.BeanDefinition;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.OptionalIdentifiedDefinition;
import org.apache.camel.model.OtherwiseDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SetVariableDefinition;
import org.apache.camel.model.StopDefinition;
import org.apache.camel.model.ThreadsDefinition;
import org.apache.camel.model.ThrowExceptionDefinition;
import org.apache.camel.model.ToDefinition;
import org.apache.camel.model.TryDefinition;
import org.apache.camel.model.WhenDefinition;
import org.apache.camel.model.language.ExpressionDefinition;
import org.apache.camel.model.language.MethodCallExpression;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.util.URISupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of recovering a charge, on the route in the Java DSL that the documentation shows. */
class RecoverChargeJavaRouteTest extends RecoverChargeContract {

    private static final Path DOCUMENT = Path.of("docs/java-dsl.md");
    private static final Path SOURCE = Path.of("src/test/java/com/finedge/once/camel/RecoverChargeJavaRoute.java");

    @Override
    protected void addRoute(DefaultCamelContext camel) throws Exception {
        camel.addRoutes(new RecoverChargeJavaRoute());
        AdviceWith.adviceWith(camel, "recover-charge", route -> route.replaceFromWith(ENTRY));
    }

    @Test
    void theDocumentShowsTheClassToTheLetter() throws Exception {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf("```java\n") + "```java\n".length();

        assertThat(document.substring(begin, document.indexOf("```", begin))).isEqualTo(Files.readString(SOURCE));
        assertThat(document.indexOf("```java", begin))
                .as("a second block of Java")
                .isNegative();
    }

    @Test
    void itHasTheStepsOfTheYaml() throws Exception {
        RouteDefinition java = fromJava();
        RouteDefinition yaml = fromYaml();

        assertThat(steps(java)).hasSizeGreaterThan(30).containsExactlyElementsOf(steps(yaml));
        assertThat(java.getDescription()).isEqualTo(yaml.getDescription());
    }

    @Test
    void itReadsItsQueueAsTheYamlDoes() throws Exception {
        assertThat(options(fromJava())).hasSizeGreaterThan(10).isEqualTo(options(fromYaml()));
    }

    private static RouteDefinition fromJava() throws Exception {
        DefaultCamelContext camel = new DefaultCamelContext();
        camel.addRoutes(new RecoverChargeJavaRoute());
        return camel.getRouteDefinition("recover-charge");
    }

    private static RouteDefinition fromYaml() throws Exception {
        DefaultCamelContext camel = new DefaultCamelContext();
        PluginHelper.getRoutesLoader(camel)
                .loadRoutes(PluginHelper.getResourceLoader(camel)
                        .resolveResource("classpath:routes/recover-charge.camel.yaml"));
        return camel.getRouteDefinition("recover-charge");
    }

    /** Each node on a line, as deep as it stands: its kind, its id and what it does. */
    private static List<String> steps(RouteDefinition route) {
        List<String> steps = new ArrayList<>();
        steps.add("from " + route.getInput().getId());
        route.getOutputs().forEach(step -> add(steps, "", step));
        return steps;
    }

    private static void add(List<String> steps, String indent, OptionalIdentifiedDefinition<?> node) {
        steps.add("%s%s %s %s".formatted(indent, node.getShortName(), node.getId(), what(node)));
        String deeper = indent + "  ";
        if (node instanceof ChoiceDefinition choice) {
            choice.getWhenClauses().forEach(when -> add(steps, deeper, when));
            add(steps, deeper, choice.getOtherwise());
        } else if (node instanceof TryDefinition tried) {
            tried.getOutputsWithoutCatches().forEach(child -> add(steps, deeper, child));
            tried.getCatchClauses().forEach(caught -> add(steps, deeper, caught));
        } else if (node instanceof WhenDefinition when) {
            when.getOutputs().forEach(child -> add(steps, deeper, child));
        } else if (node instanceof OtherwiseDefinition otherwise) {
            otherwise.getOutputs().forEach(child -> add(steps, deeper, child));
        } else if (node instanceof ProcessorDefinition<?> step) {
            step.getOutputs().forEach(child -> add(steps, deeper, child));
        }
    }

    private static String what(OptionalIdentifiedDefinition<?> node) {
        return switch (node) {
            case SetVariableDefinition set -> set.getName() + " = " + expression(set.getExpression());
            case WhenDefinition when -> expression(when.getExpression());
            case BeanDefinition bean -> bean.getRef() + "." + bean.getMethod();
            case ToDefinition to -> to.getEndpointUri();
            case ThreadsDefinition threads -> threads.getExecutorService();
            case ThrowExceptionDefinition thrown -> exception(thrown) + ": " + thrown.getMessage();
            case CatchDefinition caught -> caught.getExceptions().toString();
            case TryDefinition tried -> "";
            case StopDefinition stop -> "";
            case ChoiceDefinition choice -> "";
            case OtherwiseDefinition otherwise -> "";
            default -> throw new IllegalStateException("what does it do: " + node);
        };
    }

    private static @Nullable String exception(ThrowExceptionDefinition thrown) {
        return thrown.getExceptionClass() == null
                ? thrown.getExceptionType()
                : thrown.getExceptionClass().getName();
    }

    private static String expression(ExpressionDefinition expression) {
        return expression instanceof MethodCallExpression call
                ? "%s %s %s".formatted(call.getRef(), call.getBeanTypeName(), call.getMethod())
                : expression.getLanguage() + " " + expression.getExpression();
    }

    private static Map<String, Object> options(RouteDefinition route) throws Exception {
        String[] uri = route.getInput().getEndpointUri().split("\\?", 2);
        Map<String, Object> options = new TreeMap<>(URISupport.parseQuery(uri[1]));
        options.put("uri", uri[0]);
        return options;
    }
}
