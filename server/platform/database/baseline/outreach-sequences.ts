/** Sequences and their members. */
export const sequences = `
-- Steps that run automatically for each contact that is a member.
CREATE TABLE sequences (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'running', 'paused', 'ended')),
  version int NOT NULL,
  starts jsonb NOT NULL,
  days int[] NOT NULL,                  -- 1 Monday to 7 Sunday
  from_hour int NOT NULL,
  until_hour int NOT NULL,
  stops_at_reply boolean NOT NULL,
  stops_at_meeting boolean NOT NULL,
  stops_at_payment boolean NOT NULL,
  again_after_days int,                 -- null: a contact goes through it once
  mailbox_id bigint,                    -- null: the account in use
  in_practice boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  -- Its hours are in the reader's time zone, not in the user's.
  in_readers_zone boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE SET NULL (mailbox_id)
);
CREATE INDEX sequences_at_work ON sequences (user_id) WHERE state IN ('running', 'paused');
CREATE INDEX sequences_in_practice ON sequences (user_id) WHERE in_practice;

-- The steps, in every version that a member may have begun with.
CREATE TABLE sequence_versions (
  user_id bigint NOT NULL,
  sequence_id bigint NOT NULL,
  version int NOT NULL,
  steps jsonb NOT NULL,
  PRIMARY KEY (user_id, sequence_id, version),
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
);

-- What enrols contacts in running sequences: the value is the key of a tag, a status or an intent.
CREATE TABLE sequence_starts (
  user_id bigint NOT NULL,
  sequence_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('contact', 'tag', 'status', 'intent')),
  value text NOT NULL,
  PRIMARY KEY (user_id, kind, value, sequence_id),
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
);

-- No foreign key to the contact: when it is deleted, the member stays and stops. None to the sequence: it would look up the
-- same sequence for each of a hundred thousand new members. A command that adds members has locked it, and
-- forget_sequence_members removes them, once per statement.
CREATE TABLE sequence_members (
  user_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  sequence_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  version int NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'done', 'stopped')),
  step int,                             -- the next step; null in a draft and at the end
  is_open boolean NOT NULL,             -- active in a running sequence: its step runs when it is due
  due_at timestamptz,
  why text,                             -- why it waits longer than its steps say
  reason text,                          -- why it stopped
  started_by text NOT NULL CHECK (started_by IN ('hand', 'contact', 'tag', 'status', 'intent')),
  depth int NOT NULL,                   -- how many sequences started each other before this one
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  late_mail_id bigint,                  -- a wait was counted again from when this mail left
  -- the call that enrolled it, so that the call can be undone
  enrolment uuid,
  -- stays after the contact was deleted: the same person, added again, is not written to again
  address_key text,
  -- a member that stopped while paused comes back paused
  was_paused boolean NOT NULL DEFAULT false,
  -- its next mail would have a gap
  has_gap boolean NOT NULL DEFAULT false,
  -- when its step is due by the steps alone, whatever the hours and the pace; null: at once
  ready_at timestamptz,
  PRIMARY KEY (user_id, id)
) WITH (fillfactor = 80);
CREATE INDEX sequence_members_due ON sequence_members (due_at, id) WHERE is_open;
CREATE INDEX sequence_members_due_of ON sequence_members (user_id, sequence_id, due_at, id) WHERE is_open;
CREATE UNIQUE INDEX sequence_members_live ON sequence_members (user_id, sequence_id, contact_id)
  WHERE state IN ('active', 'paused');
CREATE INDEX sequence_members_of ON sequence_members (user_id, sequence_id, state, due_at);
CREATE INDEX sequence_members_with_gap ON sequence_members (user_id) WHERE has_gap AND is_open;
-- Whether somebody is or was in a sequence is looked up by contact and by address, not among all its members. These indexes
-- have one column and do not begin with the owner: until the database has counted many new rows, it takes any index that
-- shares a column with the query for as good as another, and could read all members for each contact.
CREATE INDEX sequence_members_by_address ON sequence_members (address_key);
CREATE INDEX sequence_members_by_contact ON sequence_members (contact_id);

-- Which step of which member wrote a mail, and what came of it.
CREATE TABLE sequence_mails (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  sequence_id bigint NOT NULL,
  member_id bigint NOT NULL,
  step int NOT NULL,
  mailbox_id bigint NOT NULL,
  queued_at timestamptz NOT NULL,
  reply_id bigint,                      -- the first mail that answered it
  outcome text CHECK (outcome IN ('bounced', 'unsubscribed')),
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE,
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
);
CREATE INDEX sequence_mails_of ON sequence_mails (user_id, sequence_id, step);
CREATE INDEX sequence_mails_by_member ON sequence_mails (user_id, member_id, email_id);
CREATE INDEX sequence_mails_by_mailbox ON sequence_mails (user_id, mailbox_id, queued_at);

-- What happened and may start or stop members. Triggers write it, once per statement, and the engine works it off: it has
-- the clock, and somebody who tags a hundred thousand contacts does not wait for it. No foreign key to the user: it would
-- look up the same user for every row, and forget_sequence_work removes what is left, after the rows that go with a user and
-- whose triggers write here.
CREATE TABLE sequence_work (
  user_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('start', 'stop', 'bring_back', 'take_back')),
  what text NOT NULL,
  sequence_id bigint,                   -- of a start
  contact_id bigint,
  address_key text,
  email_id bigint,
  in_practice boolean,                  -- only sequences in practice, or only others; null: both
  depth int NOT NULL DEFAULT 0,
  at timestamptz,
  -- one that could not be worked off waits until then, so that it does not keep back all others
  not_before timestamptz,
  PRIMARY KEY (user_id, id)
);

-- Users whose automatic mail may leave sooner than before. A table of its own: a round of the engine locks the sequences,
-- and changing the hours must not wait for it.
CREATE TABLE sequence_wakes (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE
);

-- Contacts that automatic follow-ups leave to a sequence.
CREATE VIEW contacts_in_sequences AS
SELECT m.user_id, m.contact_id FROM sequence_members m
JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id AND s.state IN ('running', 'paused')
WHERE m.state IN ('active', 'paused');

-- Whether it is too late to send a mail again that may have left: the recipient of a follow-up or of a sequence has replied
-- or bounced since, or the contact that a run wrote to was deleted.
CREATE FUNCTION mail_is_overtaken(owner bigint, mail bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails e
      JOIN correspondents c ON c.user_id = e.user_id AND c.address_key = e.correspondent_key
      WHERE e.user_id = owner AND e.id = mail AND e.purpose = 'follow_up'
        AND (c.replied_at IS NOT NULL OR c.bounced_at IS NOT NULL))
    OR EXISTS (SELECT FROM sequence_mails s JOIN sequence_members m ON m.user_id = s.user_id AND m.id = s.member_id
      WHERE s.user_id = owner AND s.email_id = mail AND m.state = 'stopped' AND m.reason IN ('replied', 'bounced'))
    OR EXISTS (SELECT FROM automatic_mails a WHERE a.user_id = owner AND a.email_id = mail AND a.source = 'run'
      AND NOT EXISTS (SELECT FROM contacts c WHERE c.user_id = a.user_id AND c.id = a.contact_id))
$$;

CREATE FUNCTION forget_sequence_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sequence_members m USING old_rows o WHERE m.user_id = o.user_id AND m.sequence_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER sequences_forget_members AFTER DELETE ON sequences
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_sequence_members();

CREATE FUNCTION forget_sequence_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sequence_work w USING old_rows o WHERE w.user_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget_sequence_work AFTER DELETE ON users
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_sequence_work();
`
