/** Backups that were brought back: mail is held until its owner says so, and gaps of the activity log are accepted. */
export const restores = `
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token text NOT NULL UNIQUE,           -- the files outside the database name it: they belong to this restore
  backup_taken_at timestamptz NOT NULL,
  restored_at timestamptz NOT NULL
);

-- Users whose mail is held since a restore. Their mail_paused_at is set.
CREATE TABLE restore_holds (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  restore_id bigint NOT NULL,           -- of restores, which are never removed
  batch_ids bigint[] NOT NULL DEFAULT '{}'    -- runs that the restore has paused
);

-- Emails that were waiting when the backup was taken: the house that went on may have sent them.
CREATE TABLE held_mails (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails (user_id, id) ON DELETE CASCADE
);

-- However a pause ends, the hold ends with it.
CREATE FUNCTION end_restore_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM restore_holds WHERE user_id = NEW.id;
  DELETE FROM held_mails WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_end_restore_hold AFTER UPDATE OF mail_paused_at ON users FOR EACH ROW
  WHEN (OLD.mail_paused_at IS NOT NULL AND NEW.mail_paused_at IS NULL) EXECUTE FUNCTION end_restore_hold();

-- System mail waits for the operator.
ALTER TABLE system_mails DROP CONSTRAINT system_mails_state_check;
ALTER TABLE system_mails ADD CONSTRAINT system_mails_state_check
  CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'held'));

-- Positions of the activity log that a restore has taken, and that the operator has accepted. Signed like the log.
CREATE TABLE accepted_gaps (
  first_position bigint PRIMARY KEY,
  last_position bigint NOT NULL CHECK (last_position >= first_position),
  accepted_at timestamptz NOT NULL,
  seal bytea NOT NULL
);
`
