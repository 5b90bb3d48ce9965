-- Orders as they were placed; what becomes of one is its saga's to say.
CREATE TABLE placed_order (
    order_id            text        PRIMARY KEY CHECK (length(order_id) BETWEEN 1 AND 128),
    customer_id         text        NOT NULL CHECK (length(customer_id) BETWEEN 1 AND 128),
    -- Without a scale of its own: it keeps the digits that went out.
    amount              numeric     NOT NULL CHECK (amount > 0 AND amount < 1e18 AND scale(amount) <= 4),
    currency            text        NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    lines               jsonb       NOT NULL CHECK (jsonb_typeof(lines) = 'array' AND jsonb_array_length(lines) > 0),
    -- SHA-256 over the content of the request.
    fingerprint         text        NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    placed_at           timestamptz NOT NULL DEFAULT now(),
    cancel_requested_at timestamptz
);

-- The versions of definitions that sagas are or were under way by. A published version never changes.
CREATE TABLE saga_definition (
    saga_type    text        NOT NULL CHECK (length(saga_type) BETWEEN 1 AND 63),
    version      integer     NOT NULL CHECK (version > 0),
    -- SHA-256 over all that the definition says.
    checksum     text        NOT NULL CHECK (checksum ~ '^[0-9a-f]{64}$'),
    published_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (saga_type, version)
);

-- One saga a row, kept for good.
CREATE TABLE saga_instance (
    saga_id            uuid        PRIMARY KEY,
    saga_type          text        NOT NULL,
    definition_version integer     NOT NULL,
    business_key       text        NOT NULL CHECK (length(business_key) BETWEEN 1 AND 128),
    phase              text        NOT NULL CHECK (phase IN ('FORWARD', 'COMPENSATING', 'ENDED')),
    state              text        NOT NULL CHECK (length(state) BETWEEN 1 AND 63),
    outcome            text CHECK (outcome IN ('COMPLETED', 'CANCELLED')),
    current_step       text,
    -- Grows by one with every transition.
    version            bigint      NOT NULL CHECK (version > 0),
    -- Ids and amounts.
    data               jsonb       NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    cancel_requested   boolean     NOT NULL DEFAULT false,
    announced          text CHECK (announced IN ('COMPLETED', 'CANCELLED')),
    wake_at            timestamptz,
    -- How often in a row its timer has failed.
    wake_failures      integer     NOT NULL DEFAULT 0 CHECK (wake_failures >= 0),
    parked             boolean     NOT NULL DEFAULT false,
    attention          text CHECK (length(attention) BETWEEN 1 AND 63),
    attention_since    timestamptz,
    traceparent        text CHECK (length(traceparent) <= 128),
    started_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    ended_at           timestamptz,
    FOREIGN KEY (saga_type, definition_version) REFERENCES saga_definition,
    CHECK ((phase = 'ENDED') = (outcome IS NOT NULL)),
    CHECK ((phase = 'ENDED') = (ended_at IS NOT NULL)),
    CHECK ((phase = 'ENDED') = (current_step IS NULL)),
    CHECK ((attention IS NULL) = (attention_since IS NULL)),
    -- Whatever a saga waits for, there is a time at which it is looked at: none waits for ever.
    CONSTRAINT saga_instance_is_alive CHECK (phase = 'ENDED' OR parked OR wake_at IS NOT NULL)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE UNIQUE INDEX saga_instance_one_live_of_key ON saga_instance (saga_type, business_key) WHERE phase <> 'ENDED';
CREATE INDEX saga_instance_due ON saga_instance (wake_at) WHERE phase <> 'ENDED' AND NOT parked;
CREATE INDEX saga_instance_attention ON saga_instance (attention_since) WHERE attention IS NOT NULL;

-- One row a step, made with the saga.
CREATE TABLE saga_step (
    saga_id         uuid     NOT NULL REFERENCES saga_instance,
    step            text     NOT NULL CHECK (length(step) BETWEEN 1 AND 63),
    -- In the order of the definition, from 0.
    position        smallint NOT NULL CHECK (position >= 0),
    fwd_status      text     NOT NULL CHECK (fwd_status IN ('NOT_STARTED', 'PENDING', 'SUCCEEDED', 'FAILED', 'IN_DOUBT')),
    fwd_command_id  uuid     NOT NULL UNIQUE,
    fwd_queue       text     NOT NULL CHECK (length(fwd_queue) BETWEEN 1 AND 80),
    fwd_attempts    integer  NOT NULL CHECK (fwd_attempts >= 0),
    -- When the last attempt was written, and when an answer has decided.
    fwd_asked_at    timestamptz,
    fwd_answered_at timestamptz,
    fwd_reply       jsonb CHECK (jsonb_typeof(fwd_reply) = 'object'),
    comp_status     text     NOT NULL CHECK (comp_status IN ('NONE', 'PENDING', 'DONE', 'MANUAL', 'REFUSED')),
    comp_command_id uuid     NOT NULL UNIQUE,
    comp_attempts   integer  NOT NULL CHECK (comp_attempts >= 0),
    comp_reply      jsonb CHECK (jsonb_typeof(comp_reply) = 'object'),
    PRIMARY KEY (saga_id, step),
    UNIQUE (saga_id, position),
    CHECK ((fwd_status = 'NOT_STARTED') = (fwd_attempts = 0)),
    CHECK ((comp_status = 'NONE') = (comp_attempts = 0))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Whether a participant has answered what was asked of it after some time: only first attempts say so.
CREATE INDEX saga_step_answered ON saga_step (fwd_queue, fwd_asked_at)
    WHERE fwd_answered_at IS NOT NULL AND fwd_attempts = 1;

-- What has happened, for good: the application may add and read and nothing else.
CREATE TABLE saga_event (
    saga_id     uuid        NOT NULL REFERENCES saga_instance,
    -- The saga's version after it.
    seq         bigint      NOT NULL CHECK (seq > 0),
    disposition text        NOT NULL CHECK (length(disposition) BETWEEN 1 AND 63),
    state       text        NOT NULL CHECK (length(state) BETWEEN 1 AND 63),
    note        text        NOT NULL,
    happened_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (saga_id, seq)
);

-- Answers to sagas that aren't here.
CREATE TABLE saga_orphan (
    message_id  text        PRIMARY KEY CHECK (length(message_id) BETWEEN 1 AND 256),
    saga_id     uuid        NOT NULL,
    body        text        NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);

-- Who has the sagas that don't get on, and since when. A command that was sent twice or more is one that wasn't answered.
CREATE VIEW v_saga_stuck AS
SELECT saga_id, saga_type, business_key, state, attention, who, what, since
FROM (
    SELECT saga.saga_id, saga.saga_type, saga.business_key, saga.state, saga.attention,
        CASE
            WHEN saga.parked THEN 'PARKED'
            WHEN unsent.since IS NOT NULL THEN 'OUR RELAY'
            WHEN saga.wake_at < now() - interval '1 min' THEN 'OUR TIMER'
            WHEN open.comp_status = 'PENDING' AND open.comp_attempts > 1 THEN 'PARTICIPANT ' || open.step
            WHEN saga.phase = 'FORWARD' AND open.fwd_attempts > 1 THEN 'PARTICIPANT ' || open.step
            WHEN saga.attention IS NOT NULL THEN 'OPERATOR'
        END AS who,
        CASE
            WHEN saga.parked THEN 'nothing wakes it up'
            WHEN unsent.since IS NOT NULL THEN 'command not published'
            WHEN saga.wake_at < now() - interval '1 min'
                THEN CASE WHEN saga.wake_failures > 0 THEN 'overdue, failed ' || saga.wake_failures || ' times' ELSE 'overdue' END
            WHEN open.comp_status = 'PENDING' AND open.comp_attempts > 1
                THEN 'undo not confirmed, try ' || open.comp_attempts
            WHEN saga.phase = 'FORWARD' AND open.fwd_attempts > 1 THEN 'no reply, try ' || open.fwd_attempts
            WHEN saga.attention IS NOT NULL THEN lower(replace(saga.attention, '_', ' '))
        END AS what,
        CASE
            WHEN saga.parked THEN coalesce(saga.attention_since, saga.updated_at)
            WHEN unsent.since IS NOT NULL THEN unsent.since
            WHEN saga.wake_at < now() - interval '1 min' THEN saga.wake_at
            ELSE coalesce(saga.attention_since, saga.updated_at)
        END AS since
    FROM saga_instance saga
    LEFT JOIN saga_step open ON open.saga_id = saga.saga_id AND open.step = saga.current_step
    LEFT JOIN LATERAL (
        SELECT min(outbox.added_at) AS since
        FROM saga_step asked
        JOIN outbox ON outbox.event_id IN (
            asked.fwd_command_id || ':' || asked.fwd_attempts, asked.comp_command_id || ':' || asked.comp_attempts)
        WHERE asked.saga_id = saga.saga_id AND saga.phase <> 'ENDED'
          AND outbox.state <> 'SENT' AND outbox.added_at < now() - interval '10 s'
    ) unsent ON true
    WHERE saga.phase <> 'ENDED' OR saga.attention IS NOT NULL
) judged
WHERE who IS NOT NULL;
