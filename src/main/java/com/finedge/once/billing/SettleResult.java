package com.finedge.once.billing;

/** What an outcome did to its charge. */
public enum SettleResult {
    /** It is recorded. */
    SETTLED,

    /** What is known already outranks it, or is the same. */
    UNCHANGED,

    /** Another amount was debited than was billed; nothing is recorded, a person has to look. */
    OTHER_AMOUNT,

    /** Nobody has raised such a charge here. */
    UNKNOWN_CHARGE
}
