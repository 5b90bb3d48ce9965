package com.finedge.once.architecture.samples.naming;

final class Names {

    private Names() {}

    interface ClaimsImpl {}

    interface ClaimManager {}

    interface ClaimHelper {}

    interface ClaimUtil {}

    interface ClaimUtils {}
}
