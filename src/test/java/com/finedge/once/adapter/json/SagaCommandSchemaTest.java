package com.finedge.once.adapter.json;

import com.finedge.once.contract.SagaCommand;

class SagaCommandSchemaTest extends SchemaContract {

    private final SagaCommandJson json = new SagaCommandJson();

    SagaCommandSchemaTest() {
        super(SagaCommand.class, "saga-command");
    }

    @Override
    Record read(String body) {
        return json.read(body);
    }

    @Override
    String rewritten(String body) {
        return json.write(json.read(body));
    }
}
