/** What the first version of sequences lacked. */
export const sequenceMends = `
-- Its hours are those of the reader's wall clock, not of the user's.
ALTER TABLE sequences ADD COLUMN in_readers_zone boolean NOT NULL DEFAULT false;

-- Whom a member was, also after the contact was deleted: the same person added again is not written to again.
ALTER TABLE sequence_members ADD COLUMN address_key text;
UPDATE sequence_members m SET address_key = c.email_key FROM contacts c WHERE c.user_id = m.user_id AND c.id = m.contact_id;

-- Notes that could not be worked off wait until then, so that they do not keep all others from it.
ALTER TABLE sequence_work ADD COLUMN not_before timestamptz;

-- A member that stopped while the user held it comes back held.
ALTER TABLE sequence_members ADD COLUMN was_paused boolean NOT NULL DEFAULT false;

-- Contacts that come back from a deletion go on where they were.
ALTER TABLE sequence_work DROP CONSTRAINT sequence_work_kind_check;
ALTER TABLE sequence_work ADD CONSTRAINT sequence_work_kind_check CHECK (kind IN ('start', 'stop', 'bring_back'));
CREATE FUNCTION sequences_meet_returns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only an undo inserts contacts that have been there before.
  IF NOT sequences_off() THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, contact_id)
  SELECT n.user_id, 'bring_back', 'deleted', n.id FROM new_rows n
  WHERE EXISTS (SELECT FROM sequence_members m
    WHERE m.user_id = n.user_id AND m.contact_id = n.id AND (m.state IN ('active', 'paused') OR m.reason = 'deleted'))
  ORDER BY n.id;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_come_back_to_sequences AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_returns();
`
