/** The ledger of automatic mail, and runs that write to many contacts. */
export const outreachRuns = `
-- Mails that a user writes once for many people.
CREATE TABLE templates (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,               -- kept for a day, so that deleting can be undone
  PRIMARY KEY (user_id, id)
);

-- What first mails are about.
CREATE TABLE briefs (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  version int NOT NULL,
  fields jsonb NOT NULL,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, version)
);

-- One ledger of all automatic mail: who gets one on which local day of the user. The key is the promise: at most one a day.
CREATE TABLE automatic_mails (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  local_day date NOT NULL,
  contact_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  source text NOT NULL CHECK (source IN ('run', 'follow_up', 'sequence')),
  email_id bigint,                      -- null until the mail is queued, in the same transaction
  reserved_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address_key, local_day),
  -- Practice is cleared away with its mailbox.
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
);
CREATE INDEX automatic_mails_unqueued ON automatic_mails (user_id, contact_id) WHERE email_id IS NULL;
CREATE INDEX automatic_mails_email ON automatic_mails (user_id, email_id) WHERE email_id IS NOT NULL;

-- How many automatic mails an account sent on a day. Its row is locked while mails are reserved, so a day's limit is exact.
CREATE TABLE automatic_mail_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  local_day date NOT NULL,
  mails int NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, local_day),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);

-- When automatic mail may leave, in the user's zone. Without a row: at any time.
CREATE TABLE sending_rules (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  days int[] NOT NULL,                  -- 1 Monday to 7 Sunday
  from_hour int NOT NULL CHECK (from_hour BETWEEN 0 AND 23),
  until_hour int NOT NULL CHECK (until_hour BETWEEN 1 AND 24 AND until_hour <> from_hour),
  PRIMARY KEY (user_id)
);

-- Accounts whose automatic mail was stopped because of bad figures, also after it went on.
CREATE TABLE automatic_mail_stops (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  mailbox_id bigint NOT NULL,
  stopped_at timestamptz,               -- null: it goes on
  mails int NOT NULL,                   -- the figures that stopped it
  bounces int NOT NULL,
  complaints int NOT NULL,
  counted_from timestamptz,             -- since it went on, figures are counted from here
  counted_day date,                     -- the local day of that instant
  counted_mails int NOT NULL DEFAULT 0, -- mails of that day before it
  PRIMARY KEY (user_id, mailbox_id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
);

-- A mail that is taken back before it left frees its day.
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

-- Runs of outreach.
CREATE TABLE outreach_batches (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  mailbox_id bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'paused', 'cancelled', 'done')),
  total int NOT NULL DEFAULT 0,
  -- true once every contact has its row in outreach_items
  is_listed boolean NOT NULL DEFAULT false,
  tokens_used bigint NOT NULL DEFAULT 0,
  -- the worker that drives the run
  driver_id text,
  error text,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- The use that a run counts its tokens on.
  ai_use_id bigint,
  -- The version that a run writes with; null where there was none.
  brief_version int,
  -- Why it waits: for the user's hours, for tomorrow, or for the user.
  waits_for text,
  look_again_at timestamptz,
  -- {"contact_ids": […]} or {"filter": {…}}; null: all contacts that were not mailed
  audience jsonb,
  audience_name text,
  write_again boolean NOT NULL DEFAULT false,
  -- {"id", "name", "subject", "body"} as they were when the run began; null: written from the brief
  template jsonb,
  -- When all mails of a run had left, failed or were taken back; null: some may still leave, also of a run that is done.
  settled_at timestamptz,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
CREATE UNIQUE INDEX outreach_one_at_a_time ON outreach_batches (user_id) WHERE state IN ('running', 'paused');
CREATE INDEX outreach_batches_unsettled ON outreach_batches (user_id, id) WHERE settled_at IS NULL AND state <> 'cancelled';

-- One row per batch and contact: its key makes a second mail impossible.
CREATE TABLE outreach_items (
  user_id bigint NOT NULL,
  batch_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  name text NOT NULL,
  address text NOT NULL,
  -- pending: to be written; written: its mail is in deliveries; skipped, error: see reason
  state text NOT NULL CHECK (state IN ('pending', 'written', 'skipped', 'error')),
  reason text,
  email_id bigint,
  templated boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, batch_id, contact_id),
  FOREIGN KEY (user_id, batch_id) REFERENCES outreach_batches ON DELETE CASCADE
);
CREATE INDEX outreach_items_pending ON outreach_items (user_id, batch_id, contact_id) WHERE state = 'pending';

-- Mails that were shown before a run, and leave as shown.
CREATE TABLE outreach_previews (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  contact_id bigint NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,                   -- without the line about unsubscribing
  edited boolean NOT NULL DEFAULT false,
  left_out boolean NOT NULL DEFAULT false,
  fallback text,                        -- why it is the template; null for the model's and the user's own words
  brief_version int,
  basis text NOT NULL,                  -- a hash of what was known of contact and sender
  ai_use_id bigint,                     -- the AI request that a run goes on counting on
  writings int NOT NULL DEFAULT 0,      -- how often that request has written to this contact
  made_at timestamptz NOT NULL,
  -- A contact's mail is kept for each text that it was shown from, so that trying another one loses no change.
  template_id bigint NOT NULL DEFAULT 0, -- 0: written from the brief
  FOREIGN KEY (user_id, contact_id) REFERENCES contacts ON DELETE CASCADE,
  PRIMARY KEY (user_id, contact_id, template_id)
);

-- What the mailboxes domain reads of runs. Practice does not begin while automatic mail waits to leave through one of the
-- user's own accounts.
CREATE VIEW mailboxes_in_run AS
SELECT user_id, mailbox_id FROM outreach_batches WHERE state IN ('running', 'paused')
UNION
SELECT d.user_id, d.mailbox_id FROM deliveries d
JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id AND a.source <> 'run'
JOIN mailboxes m ON m.user_id = d.user_id AND m.id = d.mailbox_id AND NOT m.is_practice
WHERE d.queue = 'due' AND d.state IN ('queued', 'deferred', 'claimed', 'committed');

-- What a run waits for has changed: it looks at once. So does one that is done and whose last mails are held.
CREATE FUNCTION wake_waiting_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE outreach_batches SET look_again_at = NULL
  WHERE user_id = coalesce(NEW.user_id, OLD.user_id) AND settled_at IS NULL AND state IN ('running', 'done')
    AND look_again_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER sending_rules_wake AFTER INSERT OR UPDATE OR DELETE ON sending_rules
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
CREATE TRIGGER automatic_mail_stops_wake AFTER UPDATE OF stopped_at ON automatic_mail_stops
  FOR EACH ROW EXECUTE FUNCTION wake_waiting_runs();
CREATE TRIGGER mailboxes_warm_up_wake AFTER UPDATE OF warm_up_from ON mailboxes
  FOR EACH ROW WHEN (OLD.warm_up_from IS DISTINCT FROM NEW.warm_up_from) EXECUTE FUNCTION wake_waiting_runs();

-- A deleted contact gets no mail. The mail is held, not withdrawn: the deletion may be undone before it would leave. A mail
-- whose final dot is next leaves.
CREATE FUNCTION hold_run_mails_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH open AS (
    SELECT d.user_id, d.email_id FROM outreach_batches b
    JOIN deleted c ON c.user_id = b.user_id
    JOIN outreach_items i ON i.user_id = b.user_id AND i.batch_id = b.id AND i.contact_id = c.id AND i.state = 'written'
    JOIN deliveries d ON d.user_id = i.user_id AND d.email_id = i.email_id
    WHERE b.settled_at IS NULL AND b.state <> 'cancelled' AND b.user_id IN (SELECT user_id FROM deleted)
      AND d.state IN ('queued', 'deferred', 'claimed') AND d.resends = 0
    -- A claim that is being made at this moment is waited for, and lost.
    ORDER BY d.email_id FOR UPDATE OF d
  )
  UPDATE deliveries d SET state = 'held', queue = 'held', worker_id = NULL
  FROM open o WHERE d.user_id = o.user_id AND d.email_id = o.email_id;
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER DELETE ON contacts REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION hold_run_mails_of_deleted();

-- Mail that could not leave, perhaps for days, is held as after the sending hours: a run looks at it before it leaves.
CREATE FUNCTION hold_run_mails_until_looked_at(owner bigint, account bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE outreach_batches SET waits_for = coalesce(waits_for, 'paused'), look_again_at = NULL
  WHERE user_id = owner AND state = 'running' AND (account IS NULL OR mailbox_id = account);
  UPDATE deliveries d SET state = 'held', queue = 'held' FROM outreach_batches b
  WHERE b.user_id = owner AND b.settled_at IS NULL AND b.state IN ('running', 'done')
    AND (account IS NULL OR b.mailbox_id = account)
    AND d.queue = 'due' AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.group_id = b.id
    -- 0: the user sends this one again.
    AND d.priority = 1 AND d.state IN ('queued', 'deferred');
$$;

CREATE FUNCTION hold_run_mails_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_run_mails_until_looked_at(NEW.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER UPDATE OF mail_paused_at, is_active ON users FOR EACH ROW
  WHEN ((OLD.mail_paused_at IS NOT NULL OR NOT OLD.is_active) AND NEW.mail_paused_at IS NULL AND NEW.is_active)
  EXECUTE FUNCTION hold_run_mails_of_user();

CREATE FUNCTION hold_run_mails_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_run_mails_until_looked_at(NEW.user_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER run_mails_held AFTER UPDATE OF disconnected_at ON mailboxes FOR EACH ROW
  WHEN (OLD.disconnected_at IS NOT NULL AND NEW.disconnected_at IS NULL)
  EXECUTE FUNCTION hold_run_mails_of_account();
`
