-- Claims, where they aren't in DynamoDB: one row a business key, changed only by its present owner.
CREATE TABLE claim (
    scope             text        NOT NULL CHECK (length(scope) BETWEEN 1 AND 64),
    key               text        NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
    state             text        NOT NULL CHECK (state IN ('IN_PROGRESS', 'DONE', 'FAILED')),
    -- Who holds it, or recorded its end; nobody after a release or a reopening.
    owner             text CHECK (length(owner) BETWEEN 1 AND 128),
    -- Whose lease had lapsed at the last grant, if anybody's.
    taken_over_from   text,
    -- The last owner that gave it back, until the next grant.
    released_by       text,
    -- How many grants there were; attempts are counted from the last reopening.
    fence             bigint      NOT NULL CHECK (fence >= 1),
    reopened_at_fence bigint      NOT NULL DEFAULT 0 CHECK (reopened_at_fence BETWEEN 0 AND fence),
    -- The times are those of the claimants' clocks, in milliseconds.
    lease_until       timestamptz NOT NULL,
    -- SHA-256 of what was claimed for.
    fingerprint       text        NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    outcome           text CHECK (length(outcome) <= 1000),
    detail            jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    expires_at        timestamptz,
    PRIMARY KEY (scope, key),
    -- Only what has ended has an outcome and may be forgotten.
    CHECK ((state = 'IN_PROGRESS') = (outcome IS NULL)),
    CHECK ((state = 'IN_PROGRESS') = (expires_at IS NULL)),
    -- What nobody holds can be claimed at once.
    CHECK (owner IS NOT NULL OR (state = 'IN_PROGRESS' AND lease_until = to_timestamp(0)))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX claim_expires ON claim (expires_at) WHERE expires_at IS NOT NULL;
