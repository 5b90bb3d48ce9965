package com.finedge.once.adapter.dynamodb;

import com.finedge.once.charge.OneDebitContract;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.LocalServices;

class OneDebitDynamoIT extends OneDebitContract {

    @Override
    protected ClaimStore store() {
        LocalServices services = LocalServices.shared();
        return new DynamoClaimStore(services.dynamoDb(), services.fresh().table());
    }
}
