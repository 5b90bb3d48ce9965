package com.finedge.once.order;

import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import java.util.Map;

/**
 * Why a step is refused, for good.
 *
 * @param code upper-case letters, digits and underscores, such as {@code CARD_EXPIRED}
 */
public record Refusal(String code) {

    ActionResult of(String orderId, String type) {
        return new ActionResult.Refused(type, new SagaData(Map.of("orderId", orderId, "code", code)));
    }
}
