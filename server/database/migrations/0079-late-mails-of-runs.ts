/** Mails of a run are looked at again before they leave late: their contact may be gone, and the hours over. */
export const lateMailsOfRuns = `
-- When all mails of a run had left, failed or were taken back; null: some may still leave, also of a run that is done.
ALTER TABLE outreach_batches ADD settled_at timestamptz;
UPDATE outreach_batches b SET settled_at = coalesce(finished_at, started_at)
WHERE state IN ('done', 'cancelled') AND NOT EXISTS (SELECT FROM deliveries d
  WHERE d.queue IN ('due', 'held', 'unsure') AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.group_id = b.id);
CREATE INDEX outreach_batches_unsettled ON outreach_batches (user_id, id) WHERE settled_at IS NULL AND state <> 'cancelled';

-- What a run waits for has changed: it looks at once, and so does one that is done and whose last mails are held.
CREATE OR REPLACE FUNCTION wake_waiting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outreach_batches SET look_again_at = NULL
  WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND settled_at IS NULL AND state IN ('running', 'done')
    AND look_again_at IS NOT NULL;
  RETURN NULL;
END $$;

-- A contact that is deleted is not written to. Its mail is held, not withdrawn: the deletion may be undone before it would leave.
-- One whose final dot is next leaves.
CREATE FUNCTION hold_run_mails_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH open AS (
    SELECT d.user_id, d.email_id FROM outreach_batches b
    JOIN deleted c ON c.user_id = b.user_id
    JOIN outreach_items i ON i.user_id = b.user_id AND i.batch_id = b.id AND i.contact_id = c.id AND i.state = 'written'
    JOIN deliveries d ON d.user_id = i.user_id AND d.email_id = i.email_id
    WHERE b.settled_at IS NULL AND b.state <> 'cancelled' AND b.user_id IN (SELECT user_id FROM deleted)
      AND d.state IN ('queued', 'deferred', 'claimed') AND d.resends = 0
    -- A claim that is being made at this moment is waited for, and lost.
    ORDER BY d.email_id FOR UPDATE OF d
  )
  UPDATE deliveries d SET state = 'held', queue = 'held', worker_id = NULL
  FROM open o WHERE d.user_id = o.user_id AND d.email_id = o.email_id;
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER DELETE ON contacts REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION hold_run_mails_of_deleted();

-- Mail that has stood still, for days perhaps, is held as after the hours: a run looks at it before it leaves.
CREATE FUNCTION hold_run_mails_until_looked_at(owner bigint, account bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE outreach_batches SET waits_for = coalesce(waits_for, 'paused'), look_again_at = NULL
  WHERE user_id = owner AND state = 'running' AND (account IS NULL OR mailbox_id = account);
  UPDATE deliveries d SET state = 'held', queue = 'held' FROM outreach_batches b
  WHERE b.user_id = owner AND b.settled_at IS NULL AND b.state IN ('running', 'done')
    AND (account IS NULL OR b.mailbox_id = account)
    AND d.queue = 'due' AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.group_id = b.id
    -- 0: the user sends this one again.
    AND d.priority = 1 AND d.state IN ('queued', 'deferred');
$$;

CREATE FUNCTION hold_run_mails_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_run_mails_until_looked_at(NEW.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER UPDATE OF mail_paused_at, is_active ON users FOR EACH ROW
  WHEN ((OLD.mail_paused_at IS NOT NULL OR NOT OLD.is_active) AND NEW.mail_paused_at IS NULL AND NEW.is_active)
  EXECUTE FUNCTION hold_run_mails_of_user();

CREATE FUNCTION hold_run_mails_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_run_mails_until_looked_at(NEW.user_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER UPDATE OF disconnected_at ON mailboxes FOR EACH ROW
  WHEN (OLD.disconnected_at IS NOT NULL AND NEW.disconnected_at IS NULL)
  EXECUTE FUNCTION hold_run_mails_of_account();

-- Whether it is too late to send a mail a second time that may have left: whoever a follow-up or a mail of a sequence is for has
-- answered or bounced since, or the contact that a run wrote to was deleted.
CREATE OR REPLACE FUNCTION mail_is_overtaken(owner bigint, mail bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails e
      JOIN correspondents c ON c.user_id = e.user_id AND c.address_key = e.correspondent_key
      WHERE e.user_id = owner AND e.id = mail AND e.purpose = 'follow_up'
        AND (c.replied_at IS NOT NULL OR c.bounced_at IS NOT NULL))
    OR EXISTS (SELECT FROM sequence_mails s JOIN sequence_members m ON m.user_id = s.user_id AND m.id = s.member_id
      WHERE s.user_id = owner AND s.email_id = mail AND m.state = 'stopped' AND m.reason IN ('replied', 'bounced'))
    OR EXISTS (SELECT FROM automatic_mails a WHERE a.user_id = owner AND a.email_id = mail AND a.source = 'run'
      AND NOT EXISTS (SELECT FROM contacts c WHERE c.user_id = a.user_id AND c.id = a.contact_id))
$$;
`
