package com.finedge.once.adapter.json;

import com.finedge.once.contract.SagaNotice;

class SagaNoticeSchemaTest extends SchemaContract {

    private final SagaNoticeJson json = new SagaNoticeJson();

    SagaNoticeSchemaTest() {
        super(SagaNotice.class, "saga-notice");
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
