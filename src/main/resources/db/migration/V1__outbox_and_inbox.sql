-- Messages to be sent, each added in the transaction of the data it speaks of.
CREATE TABLE outbox (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The message's own id, the same at every sending.
    event_id   text        NOT NULL UNIQUE CHECK (length(event_id) BETWEEN 1 AND 128),
    queue      text        NOT NULL CHECK (length(queue) BETWEEN 1 AND 80),
    body       text        NOT NULL CHECK (body <> ''),
    attributes jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    -- Messages of one key are sent in the order of their ids. Ids of transactions that overlap say nothing of their
    -- order, and there is none to keep; of two that follow each other the later has the greater ids.
    order_key  text CHECK (length(order_key) BETWEEN 1 AND 128),
    state      text        NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'SENT', 'PARKED')),
    -- When a relay may take it: now, after a back-off, or when the lease of the relay that holds it ends.
    due_at     timestamptz NOT NULL DEFAULT now(),
    owner      uuid,
    -- Grows by one at every lease.
    version    bigint      NOT NULL DEFAULT 0,
    -- How often its queue has refused it; a queue that can't be reached counts nothing.
    failures   integer     NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_error text CHECK (length(last_error) <= 500),
    -- The queue's id of the message at its last sending.
    sent_as    text,
    added_at   timestamptz NOT NULL DEFAULT now(),
    sent_at    timestamptz,
    CHECK ((state = 'SENT') = (sent_at IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'PENDING';
CREATE INDEX outbox_unsent_of_key ON outbox (order_key, id) WHERE state <> 'SENT' AND order_key IS NOT NULL;
CREATE INDEX outbox_parked ON outbox (id) WHERE state = 'PARKED';
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE state = 'SENT';

-- One notification a transaction, delivered at its commit: equal ones are folded.
CREATE FUNCTION notify_outbox() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
    PERFORM pg_notify('outbox', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER outbox_added AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();

-- Messages whose work is done. Never partitioned by time: a message would be new again in the next partition.
CREATE TABLE inbox (
    consumer    text        NOT NULL CHECK (length(consumer) BETWEEN 1 AND 64),
    message_id  text        NOT NULL CHECK (length(message_id) BETWEEN 1 AND 256),
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, message_id)
);

CREATE INDEX inbox_received ON inbox (received_at);
