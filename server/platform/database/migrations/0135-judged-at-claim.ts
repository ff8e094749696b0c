/** The loops that are left. */
const LOOPS = [
  'end bans',
  'link activities',
  'system mail',
  'index contacts',
  'index emails',
  'mail reminders',
  'read mailboxes',
  'deliver',
  'tidy deliveries',
  'ask about replies',
  'practice answers',
  'index invoices',
  'settle invoice mails',
  'make recurring invoices',
  'plan payment reminders',
  'send payment reminders',
  'adopt runs',
  'plan follow-ups',
  'send follow-ups',
  'run sequences',
]

/** Automatic mail is judged when it is claimed: nothing holds it back before. */
export const judgedAtClaim = `
-- What was held back and is still to be cleared away was never sent.
DELETE FROM emails e USING follow_up_mails f, deliveries d
WHERE f.state = 'withdrawn' AND e.user_id = f.user_id AND e.id = f.email_id
  AND d.user_id = f.user_id AND d.email_id = f.email_id AND d.state = 'held' AND d.resends = 0;

CREATE OR REPLACE FUNCTION replan_follow_ups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO follow_up_plans (user_id) VALUES (NEW.user_id) ON CONFLICT (user_id) DO UPDATE SET is_stale = true;
  RETURN NULL;
END $$;
DROP TRIGGER follow_ups_stopped ON correspondents;
DROP TRIGGER follow_ups_stopped ON meeting_attendees;
DROP TRIGGER follow_ups_stopped ON contacts;
DROP TRIGGER follow_ups_stopped ON automatic_mail_stops;
DROP FUNCTION stop_follow_ups, stop_follow_ups_of_deleted, stop_follow_ups_of_account;
DROP FUNCTION hold_follow_ups, hold_follow_ups_of_account;

-- Mails of runs that wait for their hours wait in the queue.
UPDATE deliveries d SET state = CASE WHEN after_crash THEN 'unsure' ELSE 'queued' END,
  queue = CASE WHEN after_crash THEN 'unsure' ELSE 'due' END
FROM outreach_batches b
WHERE d.queue = 'held' AND d.state = 'held' AND d.user_id = b.user_id AND d.group_id = b.id AND b.state IN ('running', 'done');
DROP TRIGGER run_mails_held ON contacts;
DROP TRIGGER run_mails_held ON users;
DROP TRIGGER run_mails_held ON mailboxes;
DROP FUNCTION hold_run_mails_of_deleted, hold_run_mails_of_user, hold_run_mails_of_account, hold_run_mails_until_looked_at;
CREATE OR REPLACE FUNCTION wake_waiting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outreach_batches SET look_again_at = NULL
  WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND state = 'running' AND look_again_at IS NOT NULL;
  RETURN NULL;
END $$;

-- A mail to a contact that is being deleted is claimed only after that, and what a worker has claimed is taken from it: both are
-- judged again.
CREATE FUNCTION judge_mails_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries d SET state = CASE d.state WHEN 'claimed' THEN 'queued' ELSE d.state END, worker_id = NULL
  FROM automatic_mails a JOIN deleted c ON c.user_id = a.user_id AND c.email_key = a.address_key
  WHERE d.user_id = a.user_id AND d.email_id = a.email_id AND d.queue = 'due' AND d.state IN ('queued', 'deferred', 'claimed');
  RETURN NULL;
END $$;
CREATE TRIGGER mails_judged_again AFTER DELETE ON contacts REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION judge_mails_of_deleted();

-- What has stopped a member is looked for before its mail leaves.
CREATE INDEX sequence_work_stops ON sequence_work (user_id, contact_id) WHERE kind = 'stop';
CREATE INDEX sequence_work_stops_by_address ON sequence_work (user_id, address_key) WHERE kind = 'stop';

-- Nothing wakes the loops that are gone.
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT tgname, tgrelid::regclass AS owner, pg_get_triggerdef(oid) AS definition FROM pg_trigger
    WHERE tgfoid = 'wake_loops'::regproc
      AND pg_get_triggerdef(oid) ~ '''hold late follow-ups back''|''look at late mails of runs'''
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.owner);
    IF t.owner = 'outreach_batches'::regclass THEN
      t.definition := replace(t.definition, ', settled_at', '');
      t.definition := replace(t.definition, ' OR (new.settled_at IS DISTINCT FROM old.settled_at)', '');
    END IF;
    t.definition := replace(t.definition, '''hold late follow-ups back'', ', '');
    EXECUTE replace(t.definition, ', ''look at late mails of runs''', '');
  END LOOP;
END $$;
CREATE OR REPLACE VIEW work_due (loop, due_at) AS
${LOOPS.map((loop) => `SELECT '${loop}', due_at FROM work_due_${loop.replaceAll(/\W/g, '_')}`).join('\nUNION ALL\n')};
DROP VIEW work_due_hold_late_follow_ups_back, work_due_look_at_late_mails_of_runs;
CREATE OR REPLACE VIEW work_due_send_follow_ups (due_at) AS
SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM follow_up_days WHERE settled_at IS NULL);
-- With the index and the trigger that read it.
ALTER TABLE follow_up_mails DROP COLUMN state CASCADE, DROP COLUMN held_for;
ALTER TABLE outreach_batches DROP COLUMN settled_at;
`
