package com.finedge.once.adapter.postgres;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that the calling thread is in. */
final class CallersTransaction {

    private CallersTransaction() {}

    /** Whether it is one of this very data source. */
    static boolean isOf(DataSource dataSource) {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                && holder.isSynchronizedWithTransaction();
    }
}
