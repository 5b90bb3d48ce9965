-- Steps whose effect is outside this database, such as a payment at a provider.
ALTER TABLE participant_op
    -- From here on the other side may have been asked to do it, whatever was answered; never taken back.
    ADD COLUMN started_at  timestamptz,
    -- What the action was commanded with: an undo that finds it done has to record it, and carries other data itself.
    ADD COLUMN commanded   jsonb CHECK (jsonb_typeof(commanded) = 'object'),
    -- Until then such a call may be under way, though its caller has given up: that the other side knows nothing isn't final.
    ADD COLUMN open_until  timestamptz,
    -- An undo has come: the other side isn't asked to do it any more.
    ADD COLUMN undo_wanted boolean NOT NULL DEFAULT false,
    -- Who is at it, and until when nobody else is. What another one has taken over records nothing any more.
    ADD COLUMN owner       uuid,
    ADD COLUMN lease_until timestamptz,
    ADD CHECK (num_nulls(started_at, commanded, open_until) IN (0, 3)),
    ADD CHECK (num_nulls(owner, lease_until) IN (0, 2)),
    ADD CHECK (started_at IS NOT NULL OR (owner IS NULL AND NOT undo_wanted)),
    ADD CHECK (comp_state IS NULL OR owner IS NULL);

CREATE FUNCTION keep_start() RETURNS trigger LANGUAGE plpgsql AS
$$
BEGIN
    IF (NEW.started_at, NEW.commanded) IS DISTINCT FROM (OLD.started_at, OLD.commanded) OR NEW.open_until < OLD.open_until
        OR (OLD.undo_wanted AND NOT NEW.undo_wanted)
    THEN
        RAISE EXCEPTION 'step % in saga % was started and can not be called unstarted', OLD.step, OLD.saga_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER start_is_kept BEFORE UPDATE ON participant_op
    FOR EACH ROW WHEN (OLD.started_at IS NOT NULL) EXECUTE FUNCTION keep_start();
