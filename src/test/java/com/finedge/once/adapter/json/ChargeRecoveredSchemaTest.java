package com.finedge.once.adapter.json;

import com.finedge.once.contract.ChargeRecovered;

class ChargeRecoveredSchemaTest extends ChargeSchemaContract {

    private final ChargeOutcomeJson json = new ChargeOutcomeJson();

    ChargeRecoveredSchemaTest() {
        super(ChargeRecovered.class, "charge-recovered");
    }

    @Override
    Record read(String body) {
        return (ChargeRecovered) json.read(body);
    }

    @Override
    String rewritten(String body) {
        return json.write(json.read(body));
    }
}
