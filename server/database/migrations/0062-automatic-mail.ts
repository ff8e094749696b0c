/** One ledger of all automatic mail, the hours in which it may leave, and accounts that begin slowly or stand still. */
export const automaticMail = `
-- Who got, or is to get, an automatic mail on which local day of the user. The key is the promise: at most one a day.
CREATE TABLE automatic_mails (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  local_day date NOT NULL,
  contact_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  source text NOT NULL CHECK (source IN ('run', 'follow_up')),
  email_id bigint,                      -- null until the mail is queued, in the same transaction
  reserved_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address_key, local_day),
  -- Practice is cleared away with its mailbox.
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
);
CREATE INDEX automatic_mails_unqueued ON automatic_mails (user_id, contact_id) WHERE email_id IS NULL;
CREATE INDEX automatic_mails_email ON automatic_mails (user_id, email_id) WHERE email_id IS NOT NULL;

-- How many of them an account sent on a day. Its row is locked while mails are reserved, so a day's ceiling is exact.
CREATE TABLE automatic_mail_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  local_day date NOT NULL,
  mails int NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, local_day),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);

-- A mail that is taken back before it left gives its day back.
CREATE FUNCTION give_day_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH given AS (
    DELETE FROM automatic_mails WHERE user_id = OLD.user_id AND email_id = OLD.email_id
    RETURNING mailbox_id, local_day
  )
  UPDATE automatic_mail_days d SET mails = d.mails - 1 FROM given g
  WHERE d.user_id = OLD.user_id AND d.mailbox_id = g.mailbox_id AND d.local_day = g.local_day;
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_give_day_back AFTER DELETE ON deliveries FOR EACH ROW
  WHEN (OLD.state IN ('queued', 'deferred', 'held', 'claimed') AND OLD.resends = 0)
  EXECUTE FUNCTION give_day_back();

-- When automatic mail may leave, in the user's zone. Without a row: at any time.
CREATE TABLE sending_rules (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  days int[] NOT NULL,                  -- 1 Monday to 7 Sunday
  from_hour int NOT NULL CHECK (from_hour BETWEEN 0 AND 23),
  until_hour int NOT NULL CHECK (until_hour BETWEEN 1 AND 24 AND until_hour > from_hour),
  PRIMARY KEY (user_id)
);

-- Accounts whose automatic mail stands still because of bad figures, or went on after it did.
CREATE TABLE automatic_mail_stops (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  stopped_at timestamptz,               -- null: it goes on
  mails int NOT NULL,                   -- the figures that stopped it
  bounces int NOT NULL,
  complaints int NOT NULL,
  counted_from timestamptz,             -- since it went on, figures are counted anew
  counted_day date,                     -- the local day of that instant
  counted_mails int NOT NULL DEFAULT 0, -- mails of that day before it
  PRIMARY KEY (user_id, mailbox_id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
);

-- A new account begins with few automatic mails a day. Accounts that were there before this version do not.
ALTER TABLE mailboxes ADD warm_up_from timestamptz;

-- Practice does not begin while automatic mail waits to leave through an account of the user's own.
CREATE OR REPLACE VIEW mailboxes_in_run AS
SELECT user_id, mailbox_id FROM outreach_batches WHERE state IN ('running', 'paused')
UNION
SELECT d.user_id, d.mailbox_id FROM deliveries d
JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id AND a.source <> 'run'
JOIN mailboxes m ON m.user_id = d.user_id AND m.id = d.mailbox_id AND NOT m.is_practice
WHERE d.queue = 'due' AND d.state IN ('queued', 'deferred', 'claimed', 'committed');
`
