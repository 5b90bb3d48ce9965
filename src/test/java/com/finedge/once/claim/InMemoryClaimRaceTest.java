package com.finedge.once.claim;

class InMemoryClaimRaceTest extends ClaimRaceContract {

    private final ClaimStore store = new InMemoryClaimStore();

    @Override
    protected ClaimStore store() {
        return store;
    }

    @Override
    protected int rounds() {
        return 5_000;
    }
}
