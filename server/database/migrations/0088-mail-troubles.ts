/** What could not be done with a mailbox is kept with its reason, told, and tried again. */
export const mailTroubles = `
CREATE TABLE mailbox_troubles (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- the step of a pass that failed
  kind text NOT NULL,
  -- the folder that it is about, empty for the account
  path text NOT NULL DEFAULT '',
  -- the email that it is about, null for the step as a whole
  email_id bigint,
  reason text NOT NULL,
  tries int NOT NULL DEFAULT 1,
  since timestamptz NOT NULL,
  next_try_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, id),
  UNIQUE NULLS NOT DISTINCT (user_id, mailbox_id, kind, path, email_id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE,
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX mailbox_troubles_by_email ON mailbox_troubles (user_id, email_id) WHERE email_id IS NOT NULL;

-- What was put aside before is tried again once.
ALTER TABLE quarantined_mails
  ADD COLUMN tries int NOT NULL DEFAULT 1,
  ADD COLUMN next_try_at timestamptz NOT NULL DEFAULT '-infinity';
DROP VIEW mailbox_quarantine;
CREATE VIEW mailbox_quarantine AS
SELECT user_id, mailbox_id, path, count(*) AS mails, (array_agg(reason ORDER BY put_aside_at DESC))[1] AS reason
FROM quarantined_mails GROUP BY user_id, mailbox_id, path;

-- Actions are told from the first refusal on, as what they are.
DROP VIEW mailbox_refusals;
CREATE VIEW mailbox_refusals AS
SELECT user_id, mailbox_id, path, count(*) AS mails, (array_agg(last_error ORDER BY next_try_at DESC))[1] AS reason,
  min(next_try_at) AS next_try_at
FROM pending_actions WHERE refusals > 0 AND path IS NOT NULL GROUP BY user_id, mailbox_id, path;

-- A draft that is refused is a trouble of the mailbox.
ALTER TABLE compositions DROP COLUMN refusals;

-- Until when emails stay whose folder is suddenly empty: that may be a fault of the server.
ALTER TABLE relocations ADD COLUMN held_until timestamptz;
`
