-- What the participants of sagas have answered. One row a step: an action and its undo wait for each other on it.
CREATE TABLE participant_op (
    saga_id        uuid NOT NULL,
    step           text NOT NULL CHECK (length(step) BETWEEN 1 AND 50),
    fwd_state  text CHECK (fwd_state IN ('SUCCEEDED', 'REFUSED')),
    fwd_type   text CHECK (length(fwd_type) BETWEEN 1 AND 128),
    fwd_reply  jsonb CHECK (jsonb_typeof(fwd_reply) = 'object'),
    fwd_at     timestamptz,
    -- SUCCEEDED without anything forward is a tombstone: the action will never be done.
    comp_state     text CHECK (comp_state IN ('SUCCEEDED', 'CANNOT_UNDO')),
    comp_type      text CHECK (length(comp_type) BETWEEN 1 AND 128),
    comp_reply     jsonb CHECK (jsonb_typeof(comp_reply) = 'object'),
    comp_at        timestamptz,
    PRIMARY KEY (saga_id, step),
    CHECK (num_nulls(fwd_state, fwd_type, fwd_reply, fwd_at) IN (0, 4)),
    CHECK (num_nulls(comp_state, comp_type, comp_reply, comp_at) IN (0, 4)),
    CHECK (comp_state IS DISTINCT FROM 'CANNOT_UNDO' OR fwd_state IS NOT DISTINCT FROM 'SUCCEEDED')
);

-- An answer is given once, and repeated for ever.
CREATE FUNCTION keep_answers() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
    IF (OLD.fwd_state IS NOT NULL
            AND (NEW.fwd_state, NEW.fwd_type, NEW.fwd_reply)
                IS DISTINCT FROM (OLD.fwd_state, OLD.fwd_type, OLD.fwd_reply))
        OR (OLD.comp_state IS NOT NULL
            AND (NEW.comp_state, NEW.comp_type, NEW.comp_reply)
                IS DISTINCT FROM (OLD.comp_state, OLD.comp_type, OLD.comp_reply))
        OR (OLD.comp_state = 'SUCCEEDED' AND OLD.fwd_state IS NULL AND NEW.fwd_state IS NOT NULL)
    THEN
        RAISE EXCEPTION 'an answer of % in saga % can not change', OLD.step, OLD.saga_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER answers_are_kept BEFORE UPDATE ON participant_op FOR EACH ROW EXECUTE FUNCTION keep_answers();

-- From here on facts only: rows that are added and never changed. A step back is a row of its own.

CREATE TABLE payment (
    payment_id  uuid        PRIMARY KEY,
    saga_id     uuid        NOT NULL UNIQUE,
    order_id    text        NOT NULL CHECK (length(order_id) BETWEEN 1 AND 128),
    customer_id text        NOT NULL CHECK (length(customer_id) BETWEEN 1 AND 128),
    amount      numeric     NOT NULL CHECK (amount > 0 AND amount < 1e18 AND scale(amount) <= 4),
    currency    text        NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    taken_at    timestamptz NOT NULL,
    UNIQUE (payment_id, amount, currency)
);

CREATE TABLE refund (
    refund_id   uuid        PRIMARY KEY,
    payment_id  uuid        NOT NULL UNIQUE,
    amount      numeric     NOT NULL CHECK (amount > 0),
    currency    text        NOT NULL,
    refunded_at timestamptz NOT NULL,
    -- What is given back is what was taken.
    FOREIGN KEY (payment_id, amount, currency) REFERENCES payment (payment_id, amount, currency)
);

CREATE TABLE stock_reservation (
    reservation_id uuid        PRIMARY KEY,
    saga_id        uuid        NOT NULL UNIQUE,
    order_id       text        NOT NULL CHECK (length(order_id) BETWEEN 1 AND 128),
    items          jsonb       NOT NULL CHECK (jsonb_typeof(items) = 'array' AND items <> '[]'),
    reserved_at    timestamptz NOT NULL
);

CREATE TABLE stock_release (
    release_id     uuid        PRIMARY KEY,
    reservation_id uuid        NOT NULL UNIQUE REFERENCES stock_reservation,
    released_at    timestamptz NOT NULL
);

CREATE TABLE shipment (
    shipment_id    uuid        PRIMARY KEY,
    saga_id        uuid        NOT NULL UNIQUE,
    order_id       text        NOT NULL CHECK (length(order_id) BETWEEN 1 AND 128),
    customer_id    text        NOT NULL CHECK (length(customer_id) BETWEEN 1 AND 128),
    reservation_id uuid        NOT NULL,
    arranged_at    timestamptz NOT NULL
);

-- Added by whoever hands the parcel to the carrier. A shipment has at most one of the two ends.
CREATE TABLE shipment_dispatch (
    shipment_id   uuid        PRIMARY KEY REFERENCES shipment,
    dispatched_at timestamptz NOT NULL
);

CREATE TABLE shipment_cancellation (
    shipment_id  uuid        PRIMARY KEY REFERENCES shipment,
    cancelled_at timestamptz NOT NULL
);

-- Two transactions that each add another end would not see each other's row, so the second waits for the first.
CREATE FUNCTION end_shipment_once() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('shipment:' || NEW.shipment_id, 0));
    IF EXISTS (SELECT 1 FROM shipment_dispatch WHERE shipment_id = NEW.shipment_id)
        OR EXISTS (SELECT 1 FROM shipment_cancellation WHERE shipment_id = NEW.shipment_id)
    THEN
        RAISE EXCEPTION 'shipment % was dispatched or cancelled before', NEW.shipment_id
            USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER dispatched_once BEFORE INSERT ON shipment_dispatch
    FOR EACH ROW EXECUTE FUNCTION end_shipment_once();
CREATE TRIGGER cancelled_once BEFORE INSERT ON shipment_cancellation
    FOR EACH ROW EXECUTE FUNCTION end_shipment_once();

CREATE TABLE order_confirmation (
    saga_id      uuid        PRIMARY KEY,
    order_id     text        NOT NULL UNIQUE CHECK (length(order_id) BETWEEN 1 AND 128),
    payment_id   uuid        NOT NULL UNIQUE,
    shipment_id  uuid        NOT NULL UNIQUE,
    confirmed_at timestamptz NOT NULL
);
