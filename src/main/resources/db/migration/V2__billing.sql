-- Charges that were raised here, and what has been heard of them. Kept for good.
CREATE TABLE charge (
    charge_id       text        PRIMARY KEY CHECK (length(charge_id) BETWEEN 1 AND 128),
    account_id      text        NOT NULL CHECK (length(account_id) BETWEEN 1 AND 128),
    charge_type     text        NOT NULL CHECK (length(charge_type) BETWEEN 1 AND 64),
    -- Without a scale of its own: it keeps the digits that went out, as many decimals as the currency has.
    amount          numeric     NOT NULL CHECK (amount > 0 AND amount < 1e18 AND scale(amount) <= 4),
    currency        text        NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    due_at          timestamptz NOT NULL,
    raised_at       timestamptz NOT NULL,
    state           text        NOT NULL DEFAULT 'RAISED' CHECK (state IN ('RAISED', 'RECOVERED', 'FAILED')),
    settled_at      timestamptz,
    -- Of a recovered one.
    outcome         text CHECK (length(outcome) BETWEEN 1 AND 64),
    debit_reference text CHECK (length(debit_reference) BETWEEN 1 AND 128),
    -- Of a failed one.
    code            text CHECK (length(code) BETWEEN 1 AND 64),
    reason          text CHECK (length(reason) BETWEEN 1 AND 256),
    CHECK ((state <> 'RAISED') = (settled_at IS NOT NULL)),
    CHECK ((state = 'RECOVERED') = (outcome IS NOT NULL)),
    CHECK (state = 'RECOVERED' OR debit_reference IS NULL),
    CHECK ((state = 'FAILED') = (code IS NOT NULL)),
    CHECK ((state = 'FAILED') = (reason IS NOT NULL))
);

-- What the keys of requests were used for; only of requests that have raised a charge.
CREATE TABLE idempotency_key (
    key         text        PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 128),
    -- SHA-256 over the fields of the request.
    fingerprint text        NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    charge_id   text        NOT NULL REFERENCES charge,
    used_at     timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX idempotency_key_used ON idempotency_key (used_at);
