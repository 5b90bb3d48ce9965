package com.finedge.once.adapter.dynamodb;

import com.finedge.once.claim.ClaimRaceContract;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.LocalServices;

class DynamoClaimRaceIT extends ClaimRaceContract {

    private static final LocalServices SERVICES = LocalServices.shared();

    private final ClaimStore store =
            new DynamoClaimStore(SERVICES.dynamoDb(), SERVICES.fresh().table());

    @Override
    protected ClaimStore store() {
        return store;
    }

    @Override
    protected int rounds() {
        return 150;
    }
}
