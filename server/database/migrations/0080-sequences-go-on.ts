/** Sequences after a pause of all mail, after a template was deleted, and after hours have changed. */
export const sequencesGoOn = `
-- While all mail was paused this account was not read: a reply may be there that Howl does not know.
ALTER TABLE mailboxes ADD COLUMN is_behind boolean NOT NULL DEFAULT false;
UPDATE mailboxes SET is_behind = true WHERE next_read_at IS NOT NULL AND mail_is_paused(user_id);
CREATE FUNCTION mailboxes_fall_behind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE mailboxes SET is_behind = true WHERE user_id = NEW.id AND next_read_at IS NOT NULL AND disconnected_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER users_pause_reading AFTER UPDATE OF mail_paused_at, is_active ON users FOR EACH ROW
  WHEN ((NEW.mail_paused_at IS NOT NULL OR NOT NEW.is_active) AND OLD.mail_paused_at IS NULL AND OLD.is_active)
  EXECUTE FUNCTION mailboxes_fall_behind();

-- Follow-ups that wait as all mail is paused are taken back, too.
ALTER TABLE follow_up_mails DROP CONSTRAINT follow_up_mails_held_for_check;
ALTER TABLE follow_up_mails ADD CONSTRAINT follow_up_mails_held_for_check CHECK (held_for IN ('hours', 'stopped', 'paused'));

-- Whoever waits for a template that was deleted goes on when it is brought back.
DROP TRIGGER templates_change_for_sequences ON templates;
CREATE TRIGGER templates_change_for_sequences AFTER UPDATE OF subject, body, deleted_at ON templates
  FOR EACH ROW WHEN ((OLD.subject, OLD.body, OLD.deleted_at) IS DISTINCT FROM (NEW.subject, NEW.body, NEW.deleted_at))
  EXECUTE FUNCTION sequences_meet_changed_template();

-- When a member's step may be done by the steps alone, whatever the hours and the pace; null: at once.
ALTER TABLE sequence_members ADD COLUMN ready_at timestamptz;
-- Whether those were in a wait or put off is not known any more: they stay as they are.
UPDATE sequence_members SET ready_at = due_at WHERE state IN ('active', 'paused') AND why IS NULL AND NOT has_gap;

-- Users whose automatic mail may leave sooner than before. A note of its own: a round of the engine holds the sequences, and
-- whoever changes the hours must not wait for it.
CREATE TABLE sequence_wakes (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE
);
CREATE FUNCTION wake_sequences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Of a user who is being removed nothing is left to note.
  INSERT INTO sequence_wakes (user_id)
  SELECT u.id FROM users u WHERE u.id = coalesce(NEW.user_id, OLD.user_id)
    AND EXISTS (SELECT FROM sequences q WHERE q.user_id = u.id AND q.state IN ('running', 'paused'))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER sending_rules_wake_sequences AFTER INSERT OR UPDATE OR DELETE ON sending_rules
  FOR EACH ROW EXECUTE FUNCTION wake_sequences();
CREATE TRIGGER automatic_mail_stops_wake_sequences AFTER UPDATE OF stopped_at ON automatic_mail_stops
  FOR EACH ROW WHEN (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL) EXECUTE FUNCTION wake_sequences();
CREATE TRIGGER mailboxes_warm_up_wake_sequences AFTER UPDATE OF warm_up_from ON mailboxes
  FOR EACH ROW WHEN (OLD.warm_up_from IS DISTINCT FROM NEW.warm_up_from) EXECUTE FUNCTION wake_sequences();
`
