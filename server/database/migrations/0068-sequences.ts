/** Sequences: steps that run by themselves for each contact that is a member. */
export const sequences = `
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
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE SET NULL (mailbox_id)
);
CREATE INDEX sequences_at_work ON sequences (user_id) WHERE state IN ('running', 'paused');
CREATE INDEX sequences_in_practice ON sequences (user_id) WHERE in_practice;

-- The steps, in every version that a member may be under way with.
CREATE TABLE sequence_versions (
  user_id bigint NOT NULL,
  sequence_id bigint NOT NULL,
  version int NOT NULL,
  steps jsonb NOT NULL,
  PRIMARY KEY (user_id, sequence_id, version),
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
);

-- What puts contacts into sequences at work: the value is a tag as it is compared, a status or an intent.
CREATE TABLE sequence_starts (
  user_id bigint NOT NULL,
  sequence_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('contact', 'tag', 'status', 'intent')),
  value text NOT NULL,
  PRIMARY KEY (user_id, kind, value, sequence_id),
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
);

-- The contact has no foreign key: when it is deleted, the member stays and stops.
CREATE TABLE sequence_members (
  user_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  sequence_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  version int NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'paused', 'done', 'stopped')),
  step int,                             -- the next step; null in a draft and at the end
  is_open boolean NOT NULL,             -- active in a running sequence: its step is done when it is due
  due_at timestamptz,
  why text,                             -- why it waits longer than its steps say
  reason text,                          -- why it stopped
  started_by text NOT NULL CHECK (started_by IN ('hand', 'contact', 'tag', 'status', 'intent')),
  depth int NOT NULL,                   -- how many sequences started each other before this one
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  late_mail_id bigint,                  -- a wait was counted again from when this mail left
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, sequence_id) REFERENCES sequences ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX sequence_members_due ON sequence_members (due_at, id) WHERE is_open;
CREATE INDEX sequence_members_due_of ON sequence_members (user_id, sequence_id, due_at, id) WHERE is_open;
CREATE UNIQUE INDEX sequence_members_live ON sequence_members (user_id, sequence_id, contact_id)
  WHERE state IN ('active', 'paused');
CREATE INDEX sequence_members_of ON sequence_members (user_id, sequence_id, state, due_at);
CREATE INDEX sequence_members_by_contact ON sequence_members (user_id, contact_id);

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

-- The mails of sequences that wait to leave: the groups of sequences are those below 0.
CREATE INDEX deliveries_of_sequences ON deliveries (user_id, mailbox_id) WHERE queue = 'due' AND -group_id > 0;

-- What happened and may start or stop somebody. Triggers write it, set-based, and the engine works it off: it has the clock,
-- and whoever tags a hundred thousand contacts does not wait for it.
CREATE TABLE sequence_work (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('start', 'stop')),
  what text NOT NULL,
  sequence_id bigint,                   -- of a start
  contact_id bigint,
  address_key text,
  email_id bigint,
  in_practice boolean,                  -- only sequences in practice, or only others; null: both
  depth int NOT NULL DEFAULT 0,
  at timestamptz,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX sequence_work_in_order ON sequence_work (id);

-- Whom automatic follow-ups leave to a sequence.
CREATE VIEW contacts_in_sequences AS
SELECT m.user_id, m.contact_id FROM sequence_members m
JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id AND s.state IN ('running', 'paused')
WHERE m.state IN ('active', 'paused');

ALTER TABLE automatic_mails DROP CONSTRAINT automatic_mails_source_check;
ALTER TABLE automatic_mails ADD CONSTRAINT automatic_mails_source_check CHECK (source IN ('run', 'follow_up', 'sequence'));
`
