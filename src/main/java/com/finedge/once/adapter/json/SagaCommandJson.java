package com.finedge.once.adapter.json;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaMessage.Direction;
import java.util.Map;

/** Reads {@link SagaCommand}s from JSON text, strictly, and writes them; safe for many threads. */
public final class SagaCommandJson {

    /**
     * Reads one command; fields that the contract doesn't name are skipped.
     *
     * @throws InvalidMessageException where the body isn't exactly one valid command; nothing else is thrown for any text
     */
    public SagaCommand read(String body) {
        SagaFields json = SagaFields.of(body);
        return new SagaCommand(
                json.text("id"),
                json.text("type"),
                json.text("source"),
                json.time("time"),
                json.id("sagaId"),
                json.text("sagaType"),
                json.number("definitionVersion"),
                json.text("businessKey"),
                json.text("step"),
                json.constant("direction", Direction.class),
                json.id("commandId"),
                json.number("attempt"),
                json.text("replyTo"),
                json.optionalTime("notAfter"),
                json.optionalText("traceparent"),
                json.data());
    }

    /** Writes a command as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(SagaCommand command) {
        Map<String, Object> fields = SagaFields.written(command);
        fields.put("replyTo", command.replyTo());
        command.notAfter().ifPresent(time -> fields.put("notAfter", time.toString()));
        return SagaFields.written(fields, command);
    }
}
