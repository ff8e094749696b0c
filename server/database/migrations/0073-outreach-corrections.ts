/** Sending hours over midnight, which call has put somebody into a sequence, and follow-ups that came too late to leave. */
export const outreachCorrections = `
-- An end before the beginning is one of the next day.
ALTER TABLE sending_rules DROP CONSTRAINT sending_rules_check;
ALTER TABLE sending_rules ADD CONSTRAINT sending_rules_check
  CHECK (until_hour BETWEEN 1 AND 24 AND until_hour <> from_hour);

-- Those whom one call has put in, so that it can be undone.
ALTER TABLE sequence_members ADD enrolment uuid;

-- Why a follow-up was held back that had not left when the user's hours ended or its account was stopped; else null.
ALTER TABLE follow_up_mails ADD held_for text CHECK (held_for IN ('hours', 'stopped'));

-- Holds the follow-ups of one account back that have not left, as hold_follow_ups does; tells how many.
CREATE FUNCTION hold_follow_ups_of_account(owner bigint, account bigint, why text) RETURNS int LANGUAGE sql AS $$
  WITH open AS (
    SELECT d.user_id, d.email_id FROM follow_up_mails f
    JOIN deliveries d ON d.user_id = f.user_id AND d.email_id = f.email_id
    WHERE f.user_id = owner AND d.mailbox_id = account AND d.queue = 'due'
      AND d.state IN ('queued', 'deferred', 'claimed') AND d.resends = 0
    FOR UPDATE OF d SKIP LOCKED
  ), held AS (
    UPDATE deliveries d SET state = 'held', queue = 'held', worker_id = NULL
    FROM open o WHERE d.user_id = o.user_id AND d.email_id = o.email_id RETURNING d.user_id, d.email_id
  ), withdrawn AS (
    UPDATE follow_up_mails f SET state = 'withdrawn', held_for = why FROM held h
    WHERE f.user_id = h.user_id AND f.email_id = h.email_id RETURNING 1
  )
  SELECT count(*)::int FROM withdrawn
$$;

-- An account that is stopped sends none of them any more, whoever finds its figures bad.
CREATE FUNCTION stop_follow_ups_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_follow_ups_of_account(NEW.user_id, NEW.mailbox_id, 'stopped');
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_stopped AFTER INSERT OR UPDATE OF stopped_at ON automatic_mail_stops FOR EACH ROW
  WHEN (NEW.stopped_at IS NOT NULL) EXECUTE FUNCTION stop_follow_ups_of_account();
`
