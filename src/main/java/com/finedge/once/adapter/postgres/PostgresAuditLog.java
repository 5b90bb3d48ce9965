package com.finedge.once.adapter.postgres;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.audit.OperatorAction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Actions of operators in the table {@code operator_action}, in the caller's transaction where there is one. */
public final class PostgresAuditLog implements AuditLog {

    private static final String ALL = "SELECT who, why, what, target, result, at FROM operator_action ";

    private final JdbcClient jdbc;

    public PostgresAuditLog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void record(OperatorAction action) {
        jdbc.sql("""
                        INSERT INTO operator_action (who, why, what, target, result, at)
                        VALUES (:who, :why, :what, :target, :result, :at)""")
                .param("who", action.by().who())
                .param("why", action.by().why())
                .param("what", action.what())
                .param("target", action.target())
                .param("result", action.result())
                .param("at", action.at().atOffset(ZoneOffset.UTC))
                .update();
    }

    @Override
    public List<OperatorAction> on(String target, int most) {
        return jdbc.sql(ALL + "WHERE target = :target ORDER BY at DESC, id DESC LIMIT :most")
                .param("target", target)
                .param("most", most)
                .query(PostgresAuditLog::action)
                .list();
    }

    @Override
    public List<OperatorAction> latest(int most) {
        return jdbc.sql(ALL + "ORDER BY at DESC, id DESC LIMIT :most")
                .param("most", most)
                .query(PostgresAuditLog::action)
                .list();
    }

    private static OperatorAction action(ResultSet row, int number) throws SQLException {
        return new OperatorAction(
                new Operator(row.getString("who"), row.getString("why")),
                row.getString("what"),
                row.getString("target"),
                row.getString("result"),
                row.getObject("at", OffsetDateTime.class).toInstant());
    }
}
