package com.finedge.once.architecture.samples.billing;

import org.springframework.transaction.support.TransactionOperations;

interface SeesSpringsTransactions {
    TransactionOperations sees();
}
