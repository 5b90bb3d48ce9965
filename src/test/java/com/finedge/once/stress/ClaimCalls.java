package com.finedge.once.stress;

import com.finedge.once.support.FaultProxy;

/** The calls of the claim store, told apart by what they write. */
final class ClaimCalls {

    private ClaimCalls() {}

    static FaultProxy.Choice claim(FaultProxy dynamoDb) {
        return dynamoDb.on("UpdateItem").with("if_not_exists(fence");
    }

    static FaultProxy.Choice finish(FaultProxy dynamoDb) {
        return dynamoDb.on("UpdateItem").with("#state = :end");
    }
}
