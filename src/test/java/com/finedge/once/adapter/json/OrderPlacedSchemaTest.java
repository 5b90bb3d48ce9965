package com.finedge.once.adapter.json;

import com.finedge.once.contract.OrderPlaced;

/** An order has no reader of its own: it is the data of a notice. */
class OrderPlacedSchemaTest extends SchemaContract {

    private final SagaNoticeJson json = new SagaNoticeJson();

    OrderPlacedSchemaTest() {
        super(OrderPlaced.class, "order-placed");
    }

    @Override
    OrderPlaced read(String body) {
        return OrderPlaced.of(json.read("""
                {
                  "id": "n-0000", "type": "OrderPlaced.v1", "source": "orders", "time": "2026-03-01T10:00:00Z",
                  "businessKey": "ORD-1001", "data": %s
                }
                """.formatted(body)).data());
    }

    @Override
    String rewritten(String body) {
        return SagaFields.line(read(body).data());
    }
}
