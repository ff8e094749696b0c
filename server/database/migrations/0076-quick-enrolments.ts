/** Contacts come into a sequence at the same cost each, whether it has ten members or a million, one or a hundred thousand at once. */
export const quickEnrolments = `
-- Whether somebody is or was in a sequence is looked up by the contact and by the address, not among all of its members. These
-- indexes have one column and do not begin with the owner: while the database has not counted many new rows, it takes any index
-- that shares a column with the question for as good as another, and could read all members for each contact.
CREATE INDEX sequence_members_by_address ON sequence_members (address_key);
DROP INDEX sequence_members_by_contact;
CREATE INDEX sequence_members_by_contact ON sequence_members (contact_id);

-- A foreign key looks up the parent of every row by itself: of a hundred thousand members the same sequence, of their notes the
-- same user. Whoever adds members holds the sequence, and whoever writes a note has just written a row of the user. Triggers
-- remove what is left, once per statement: so after all the rows that go with a user, whose own triggers write notes.
ALTER TABLE sequence_members DROP CONSTRAINT sequence_members_user_id_sequence_id_fkey;
CREATE FUNCTION forget_sequence_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sequence_members m USING old_rows o WHERE m.user_id = o.user_id AND m.sequence_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER sequences_forget_members AFTER DELETE ON sequences
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_sequence_members();

ALTER TABLE sequence_work DROP CONSTRAINT sequence_work_user_id_fkey;
CREATE FUNCTION forget_sequence_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sequence_work w USING old_rows o WHERE w.user_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget_sequence_work AFTER DELETE ON users
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_sequence_work();

-- Notes are found by their owner.
DROP INDEX sequence_work_in_order;
`
