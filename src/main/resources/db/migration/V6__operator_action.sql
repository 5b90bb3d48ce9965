-- What operators did. Rows are added before the action is done, and never changed; nobody may delete them but the owner.
CREATE TABLE operator_action (
    id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    who    text        NOT NULL CHECK (length(who) BETWEEN 1 AND 64),
    why    text        NOT NULL CHECK (length(why) BETWEEN 1 AND 256),
    what   text        NOT NULL CHECK (what ~ '^[a-z][a-z0-9-]{0,39}$'),
    target text        NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
    result text        NOT NULL CHECK (length(result) BETWEEN 1 AND 1000),
    at     timestamptz NOT NULL
);

CREATE INDEX operator_action_target ON operator_action (target, at DESC, id DESC);
CREATE INDEX operator_action_at ON operator_action (at DESC, id DESC);
