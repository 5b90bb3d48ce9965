-- The application reads and writes rows and nothing else: it makes no tables and drops none.
GRANT USAGE ON SCHEMA public TO ${application_user};
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox, inbox TO ${application_user};
GRANT SELECT, INSERT, UPDATE ON charge TO ${application_user};
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO ${application_user};
GRANT SELECT, INSERT, UPDATE ON placed_order, saga_instance, saga_step TO ${application_user};
GRANT SELECT, INSERT ON saga_definition, saga_event, saga_orphan TO ${application_user};
GRANT SELECT ON v_saga_stuck TO ${application_user};
GRANT SELECT, INSERT, UPDATE, DELETE ON claim TO ${application_user};
GRANT SELECT, INSERT, UPDATE ON participant_op TO ${application_user};
-- Facts: what has happened can be added to and never be changed.
GRANT SELECT, INSERT ON payment, refund, stock_reservation, stock_release, shipment, shipment_dispatch,
    shipment_cancellation, order_confirmation TO ${application_user};
GRANT SELECT, INSERT ON operator_action TO ${application_user};
