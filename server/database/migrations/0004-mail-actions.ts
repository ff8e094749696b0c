/**
 * What is done with mails and has to travel to the account's server, and what has changed there and is still to be
 * understood.
 */
export const mailActions = `
ALTER TABLE emails
  -- of a mail that was archived out of the trash: where it was before it came there
  ADD COLUMN trashed_from text,
  -- deleted for good: its words go at this instant
  ADD COLUMN purge_at timestamptz;
CREATE INDEX emails_to_purge ON emails (purge_at) WHERE purge_at IS NOT NULL;

-- What the server does not know yet: one row a mail and account, however often it was changed. What is wanted stands in
-- the mail itself; the row says which of it is still to be told.
CREATE TABLE pending_actions (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  email_id bigint NOT NULL,
  read boolean NOT NULL DEFAULT false,
  starred boolean NOT NULL DEFAULT false,
  moved boolean NOT NULL DEFAULT false,
  -- goes up with every change, so that what is changed while it is being told is told once more
  version int NOT NULL DEFAULT 1,
  attempts int NOT NULL DEFAULT 0,
  refusals int NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- the folder that refused it last, and the server's words
  path text,
  last_error text,
  given_up_at timestamptz,
  PRIMARY KEY (user_id, mailbox_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE,
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
CREATE INDEX pending_actions_due ON pending_actions (user_id, mailbox_id, next_try_at) WHERE given_up_at IS NULL;
CREATE INDEX pending_actions_given_up ON pending_actions (given_up_at) WHERE given_up_at IS NOT NULL;
CREATE INDEX pending_actions_by_email ON pending_actions (user_id, email_id);

-- Mails whose places on the server have changed. What that means is settled once every folder has been read.
CREATE TABLE stirred_mails (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  email_id bigint NOT NULL,
  noticed_at timestamptz NOT NULL,
  -- false where it is known to be somewhere: it is looked for, and kept if it is not found
  may_be_gone boolean NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE,
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

-- What mailboxes need to know of actions that the server refused, which come after them.
CREATE VIEW mailbox_refusals AS
SELECT DISTINCT ON (user_id, mailbox_id, path) user_id, mailbox_id, path, last_error
FROM pending_actions WHERE given_up_at IS NOT NULL AND path IS NOT NULL
ORDER BY user_id, mailbox_id, path, given_up_at DESC;
`
