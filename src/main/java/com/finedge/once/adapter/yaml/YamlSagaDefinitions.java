package com.finedge.once.adapter.yaml;

import com.finedge.once.saga.DefinitionProblem;
import com.finedge.once.saga.DefinitionRule;
import com.finedge.once.saga.InvalidDefinitionException;
import com.finedge.once.saga.MessageTemplate;
import com.finedge.once.saga.Remembered;
import com.finedge.once.saga.SagaBuilder;
import com.finedge.once.saga.SagaBuilder.StepBuilder;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.StepKind;
import com.finedge.once.saga.Timeout;
import com.finedge.once.saga.Timeout.Then;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads the definition of a saga from YAML. Strictly: a field with a typo would be a rule that isn't kept, so unknown
 * fields are refused, and so are values of another kind than the field's.
 */
public final class YamlSagaDefinitions {

    private static final String NO_UNDO = "none";

    private YamlSagaDefinitions() {}

    /**
     * Reads one definition.
     *
     * @param source the name of the file, for the sentences that say what is wrong with it
     * @throws InvalidDefinitionException with all problems that were found
     */
    public static SagaDefinition read(String source, String yaml) {
        List<DefinitionProblem> problems = new ArrayList<>();
        SagaBuilder saga = saga(new Fields(source, null, "the file", load(source, yaml), problems));
        if (problems.isEmpty()) {
            return saga.from(source).build();
        }
        // What the rest says would partly be about what couldn't be read.
        throw new InvalidDefinitionException(problems);
    }

    private static @Nullable Object load(String source, String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        try {
            return new Yaml(new SafeConstructor(options)).load(yaml);
        } catch (YAMLException e) {
            throw new InvalidDefinitionException(List.of(
                    new DefinitionProblem(source, null, DefinitionRule.FORM, "it isn't YAML: " + e.getMessage())));
        }
    }

    private static SagaBuilder saga(Fields file) {
        SagaBuilder saga = SagaDefinition.named(file.text("saga"), file.number("version", 0))
                .replyTo(file.text("replyTo"));
        Fields start = file.object("start");
        saga.startedBy(start.text("message"), start.text("key"));
        remember(start, saga::remember);
        start.end();
        file.optionalText("cancel", saga::cancelledBy);
        Fields facts = file.object("facts");
        saga.completed(message(facts.object("completed")));
        saga.cancelled(message(facts.object("cancelled")));
        saga.cannotBeCancelled(message(facts.object("cannotBeCancelled")));
        facts.end();
        for (Fields step : file.objects("steps")) {
            step.require("kind");
            saga.step(
                    step.step(),
                    step.constant("kind", StepKind.class, StepKind.COMPENSATABLE),
                    builder -> step(step, builder));
            step.end();
        }
        file.end();
        return saga;
    }

    private static void step(Fields step, StepBuilder builder) {
        step.optionalText("stateWhileWaiting", builder::stateWhileWaiting);
        step.optionalText("stateWhileUndoing", builder::stateWhileUndoing);
        builder.action(message(step.object("do")));
        remember(step, builder::remember);
        if (step.is("undo", NO_UNDO)) {
            builder.undoNothing();
        } else if (step.has("undo")) {
            builder.undo(message(step.object("undo")));
        }
        if (step.has("timeout")) {
            Fields timeout = step.object("timeout");
            timeout.duration("after", builder::timeout);
            builder.resend(
                    timeout.number("resend", Timeout.USUAL_RESENDS), timeout.constant("then", Then.class, Then.HOLD));
            timeout.end();
        }
    }

    private static MessageTemplate message(Fields message) {
        Map<String, String> data = new LinkedHashMap<>();
        if (message.has("data")) {
            Fields fields = message.object("data");
            fields.names().forEach(name -> data.put(name, fields.text(name)));
        }
        MessageTemplate template = new MessageTemplate(message.text("queue"), message.text("message"), data);
        message.end();
        return template;
    }

    private static void remember(Fields parent, BiConsumer<String, Remembered> remember) {
        if (!parent.has("remember")) {
            return;
        }
        Fields values = parent.object("remember");
        for (String name : values.names()) {
            if (values.isObject(name)) {
                Fields value = values.object(name);
                remember.accept(name, new Remembered(value.text("value"), value.text("otherwise")));
                value.end();
            } else {
                remember.accept(name, new Remembered(values.text(name), null));
            }
        }
    }
}
