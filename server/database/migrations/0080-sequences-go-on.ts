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
`
