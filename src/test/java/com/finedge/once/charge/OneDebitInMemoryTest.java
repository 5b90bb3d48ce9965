package com.finedge.once.charge;

import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.InMemoryClaimStore;

class OneDebitInMemoryTest extends OneDebitContract {

    @Override
    protected ClaimStore store() {
        return new InMemoryClaimStore();
    }
}
