package com.finedge.once.adapter.json;

import com.finedge.once.contract.SagaReply;

class SagaReplySchemaTest extends SchemaContract {

    private final SagaReplyJson json = new SagaReplyJson();

    SagaReplySchemaTest() {
        super(SagaReply.class, "saga-reply");
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
