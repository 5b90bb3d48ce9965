package com.finedge.once.adapter.json;

import com.finedge.once.contract.ChargeFailed;

class ChargeFailedSchemaTest extends ChargeSchemaContract {

    private final ChargeOutcomeJson json = new ChargeOutcomeJson();

    ChargeFailedSchemaTest() {
        super(ChargeFailed.class, "charge-failed");
    }

    @Override
    Record read(String body) {
        return (ChargeFailed) json.read(body);
    }

    @Override
    String rewritten(String body) {
        return json.write(json.read(body));
    }
}
