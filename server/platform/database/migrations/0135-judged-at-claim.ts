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
  'look at late mails of runs',
  'plan follow-ups',
  'send follow-ups',
  'run sequences',
]

/** Follow-ups are judged when they are claimed: nothing holds them back before. */
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

-- Nothing wakes the loop that is gone.
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT tgname, tgrelid::regclass AS owner, pg_get_triggerdef(oid) AS definition FROM pg_trigger
    WHERE tgfoid = 'wake_loops'::regproc AND pg_get_triggerdef(oid) LIKE '%''hold late follow-ups back''%'
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.owner);
    EXECUTE replace(t.definition, '''hold late follow-ups back'', ', '');
  END LOOP;
END $$;
CREATE OR REPLACE VIEW work_due (loop, due_at) AS
${LOOPS.map((loop) => `SELECT '${loop}', due_at FROM work_due_${loop.replaceAll(/\W/g, '_')}`).join('\nUNION ALL\n')};
DROP VIEW work_due_hold_late_follow_ups_back;
CREATE OR REPLACE VIEW work_due_send_follow_ups (due_at) AS
SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM follow_up_days WHERE settled_at IS NULL);
-- With the index and the trigger that read it.
ALTER TABLE follow_up_mails DROP COLUMN state CASCADE, DROP COLUMN held_for;
`
