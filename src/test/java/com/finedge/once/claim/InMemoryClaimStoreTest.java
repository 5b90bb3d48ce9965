package com.finedge.once.claim;

class InMemoryClaimStoreTest extends ClaimStoreContract {

    private final ClaimStore store = new InMemoryClaimStore();

    @Override
    protected ClaimStore store() {
        return store;
    }
}
