/**
 * The first tables. Every owned table has `user_id` first in its primary key and in every foreign key, so that a row
 * cannot point into another tenant's data. Times come from the application's clock, never from SQL's now().
 */
export const foundation = `
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  username text NOT NULL,
  username_key text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  name text NOT NULL,
  business_name text NOT NULL DEFAULT '',
  company_name text NOT NULL DEFAULT '',
  team_size text NOT NULL DEFAULT '',
  revenue_size text NOT NULL DEFAULT '',
  heard_about_us text NOT NULL DEFAULT '',
  social_link text NOT NULL DEFAULT '',
  calendly_link text NOT NULL DEFAULT '',
  job_title text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  profile_image_url text,
  country text,
  currency text NOT NULL DEFAULT 'USD',
  time_zone text,
  pricing_tier text NOT NULL DEFAULT 'free',
  referred_by_code text NOT NULL DEFAULT '',
  is_admin boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);

CREATE TABLE sessions (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  ip text NOT NULL,
  user_agent text NOT NULL,
  PRIMARY KEY (user_id, id)
);

-- One row per call that carried an Idempotency-Key. The payload's hash is part of the key: another mail under the
-- same key is another mail.
CREATE TABLE idempotent_replies (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  route text NOT NULL,
  key text NOT NULL,
  payload_hash text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  status int,
  reply text,
  PRIMARY KEY (user_id, route, key, payload_hash)
);
CREATE INDEX idempotent_replies_by_age ON idempotent_replies (started_at);

-- Processes that run jobs. What a worker whose heartbeat stopped had claimed is free again.
CREATE TABLE workers (
  id text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL
);

CREATE TABLE contacts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  company text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  position text NOT NULL DEFAULT '',
  notes text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'prospect' CHECK (status IN ('prospect', 'active', 'inactive')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, email_key)
);

-- How many contacts each user has, kept by the triggers below in the transaction that changes them.
CREATE TABLE contact_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);

CREATE TABLE meetings (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  location text NOT NULL DEFAULT '',
  type text NOT NULL DEFAULT 'in-person' CHECK (type IN ('in-person', 'video', 'phone')),
  status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'completed', 'cancelled')),
  notes text NOT NULL DEFAULT '',
  meeting_link text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX meetings_by_start ON meetings (user_id, start_time);

CREATE TABLE meeting_attendees (
  user_id bigint NOT NULL,
  meeting_id bigint NOT NULL,
  address_key text NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (user_id, meeting_id, address_key),
  FOREIGN KEY (user_id, meeting_id) REFERENCES meetings ON DELETE CASCADE
);
CREATE INDEX meeting_attendees_by_address ON meeting_attendees (user_id, address_key);

-- A mail account. Several per user are possible; the settings page shows the one that is primary.
CREATE TABLE mailboxes (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  is_primary boolean NOT NULL,
  is_practice boolean NOT NULL DEFAULT false,
  address text NOT NULL,
  smtp_host text NOT NULL DEFAULT '',
  smtp_port int,
  smtp_username text NOT NULL DEFAULT '',
  smtp_password_box text,
  smtp_use_tls boolean NOT NULL DEFAULT true,
  imap_host text NOT NULL DEFAULT '',
  imap_port int,
  imap_username text NOT NULL DEFAULT '',
  imap_password_box text,
  imap_use_ssl boolean NOT NULL DEFAULT true,
  hourly_limit int,
  -- The token bucket of the hourly limit.
  tokens double precision NOT NULL DEFAULT 0,
  tokens_at timestamptz,
  -- Nothing is tried before this instant: the server said "later" to the whole account, or refused the password.
  send_pause_until timestamptz,
  last_error text,
  auto_followup_enabled boolean NOT NULL DEFAULT false,
  auto_followup_max_days int NOT NULL DEFAULT 14,
  auto_followup_daily_hour int NOT NULL DEFAULT 9,
  last_auto_followup_run timestamptz,
  last_auto_followup_sent_count int NOT NULL DEFAULT 0,
  -- Receiving: when the account is due to be read again, and which worker is at it.
  next_read_at timestamptz,
  reader_id text,
  read_failures int NOT NULL DEFAULT 0,
  -- Why the account could not be read the last time; last_error speaks of sending.
  read_error text,
  created_at timestamptz NOT NULL,
  disconnected_at timestamptz,
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX mailboxes_one_primary ON mailboxes (user_id) WHERE is_primary AND disconnected_at IS NULL;
CREATE UNIQUE INDEX mailboxes_one_practice ON mailboxes (user_id) WHERE is_practice;
CREATE INDEX mailboxes_due ON mailboxes (next_read_at) WHERE disconnected_at IS NULL AND next_read_at IS NOT NULL;
CREATE INDEX mailboxes_being_read ON mailboxes (reader_id) WHERE reader_id IS NOT NULL;

-- Everything with a UID from low_uid to high_uid is stored: new mail is above, older mail still to come below.
CREATE TABLE mailbox_folders (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  path text NOT NULL,
  role text,
  uid_validity text,
  low_uid bigint NOT NULL DEFAULT 0,
  high_uid bigint NOT NULL DEFAULT 0,
  mod_seq text,
  behind int NOT NULL DEFAULT 0,
  last_read_at timestamptz,
  last_error text,
  PRIMARY KEY (user_id, mailbox_id, path),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

-- A mail, in or out, with what a list row shows. Its words are in email_bodies.
CREATE TABLE emails (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  -- by default, because a batch takes its ids beforehand: a mail that begins a thread names itself
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  mailbox_id bigint,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  folder text NOT NULL
    CHECK (folder IN ('inbox', 'sent', 'drafts', 'scheduled', 'archived', 'spam', 'trash', 'deleted')),
  original_folder text,
  -- personal, automatic (out of office), list, report (bounce), complaint
  kind text NOT NULL DEFAULT 'personal',
  -- compose, outreach, follow_up, reply; null for mail that came in
  purpose text,
  intent text,
  message_id text NOT NULL,
  thread_id bigint NOT NULL,
  in_reply_to text,
  reference_ids text[] NOT NULL DEFAULT '{}',
  from_name text NOT NULL DEFAULT '',
  from_address text NOT NULL DEFAULT '',
  to_line text NOT NULL DEFAULT '',
  -- The other side's address, lower case: whose mail this is, seen from the user.
  correspondent_key text NOT NULL DEFAULT '',
  subject text NOT NULL DEFAULT '',
  snippet text NOT NULL DEFAULT '',
  collapse_key text NOT NULL DEFAULT '',
  is_read boolean NOT NULL DEFAULT false,
  is_starred boolean NOT NULL DEFAULT false,
  attachment_names text[] NOT NULL DEFAULT '{}',
  size int NOT NULL DEFAULT 0,
  -- false while only the envelope has come in
  has_body boolean NOT NULL DEFAULT true,
  occurred_at timestamptz NOT NULL,
  schedule_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
CREATE INDEX emails_by_folder ON emails (user_id, folder, occurred_at DESC, id DESC);
CREATE INDEX emails_by_message_id ON emails (user_id, message_id);
CREATE INDEX emails_by_thread ON emails (user_id, thread_id);
CREATE INDEX emails_by_correspondent ON emails (user_id, correspondent_key, occurred_at DESC);
CREATE INDEX emails_by_parent ON emails (user_id, in_reply_to) WHERE in_reply_to IS NOT NULL;
CREATE INDEX emails_without_body ON emails (user_id, mailbox_id, occurred_at DESC) WHERE NOT has_body;

CREATE TABLE email_bodies (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  text text NOT NULL DEFAULT '',
  html text,
  cc_line text NOT NULL DEFAULT '',
  bcc_line text NOT NULL DEFAULT '',
  reply_to_line text NOT NULL DEFAULT '',
  -- name, type, size, contentId, inline of each attachment, in the order of the mail
  files jsonb NOT NULL DEFAULT '[]',
  -- The mail as it came: here when small, in the blob store under raw_key when large.
  raw bytea,
  raw_key text,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);

-- Where on the IMAP server a mail is.
CREATE TABLE email_locations (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  path text NOT NULL,
  uid_validity text NOT NULL,
  uid bigint NOT NULL,
  email_id bigint NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, path, uid_validity, uid),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX email_locations_by_email ON email_locations (user_id, email_id);

CREATE TABLE quarantined_mails (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  path text NOT NULL,
  uid_validity text NOT NULL,
  uid bigint NOT NULL,
  reason text NOT NULL,
  size int NOT NULL DEFAULT 0,
  put_aside_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, path, uid_validity, uid),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

-- How many mails each folder holds, kept by the triggers below in the transaction that changes them.
CREATE TABLE email_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  folder text NOT NULL,
  total bigint NOT NULL DEFAULT 0,
  unread bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, folder)
);

-- The way of an outgoing mail: queued, claimed, committed ("the final dot is next"), sent, deferred, failed, unsure;
-- held while its group is paused. The row is the truth; queues and events only wake workers.
CREATE TABLE deliveries (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  -- Mails that are paused, resumed and cancelled together.
  group_id bigint,
  state text NOT NULL
    CHECK (state IN ('queued', 'held', 'claimed', 'committed', 'sent', 'deferred', 'failed', 'unsure')),
  recipients text[] NOT NULL,
  -- 0: somebody waits for it; 1: one of many
  priority int NOT NULL DEFAULT 0,
  templated boolean NOT NULL DEFAULT false,
  attempt int NOT NULL DEFAULT 0,
  resends int NOT NULL DEFAULT 0,
  -- unsure because a worker of ours died, not because of the far server
  after_crash boolean NOT NULL DEFAULT false,
  worker_id text,
  reason text,
  next_try_at timestamptz NOT NULL,
  settled_at timestamptz,
  in_sent_folder boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE,
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX deliveries_due ON deliveries (user_id, mailbox_id, priority, next_try_at, email_id)
  WHERE state IN ('queued', 'deferred');
CREATE INDEX deliveries_in_hand ON deliveries (worker_id) WHERE state IN ('claimed', 'committed');
CREATE INDEX deliveries_unsure ON deliveries (next_try_at) WHERE state = 'unsure';
CREATE INDEX deliveries_unsent ON deliveries (user_id) WHERE state <> 'sent';
CREATE INDEX deliveries_by_group ON deliveries (user_id, group_id, state) WHERE group_id IS NOT NULL;
CREATE INDEX deliveries_to_append ON deliveries (user_id, mailbox_id, email_id) WHERE state = 'sent' AND NOT in_sent_folder;

-- What has passed between the user and one address: from it follow status, last contact and response rate.
CREATE TABLE correspondents (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  last_received_at timestamptz,
  follow_ups int NOT NULL DEFAULT 0,
  replied_at timestamptz,
  interested_at timestamptz,
  bounced_at timestamptz,
  PRIMARY KEY (user_id, address_key)
);

-- Addresses that get no mail any more; one list for the whole user.
CREATE TABLE suppressions (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('unsubscribed', 'bounced', 'complaint', 'manual')),
  detail text NOT NULL DEFAULT '',
  email_id bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address_key)
);

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
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
CREATE UNIQUE INDEX outreach_one_at_a_time ON outreach_batches (user_id) WHERE state IN ('running', 'paused');

-- One row per (batch, contact): that it is unique is what makes a second mail impossible.
CREATE TABLE outreach_items (
  user_id bigint NOT NULL,
  batch_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  name text NOT NULL,
  address text NOT NULL,
  -- pending: to be written; written: its mail stands in deliveries; skipped, error: see reason
  state text NOT NULL CHECK (state IN ('pending', 'written', 'skipped', 'error')),
  reason text,
  email_id bigint,
  templated boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, batch_id, contact_id),
  FOREIGN KEY (user_id, batch_id) REFERENCES outreach_batches ON DELETE CASCADE
);
CREATE INDEX outreach_items_pending ON outreach_items (user_id, batch_id, contact_id) WHERE state = 'pending';

-- Answers of the practice mailbox's invented people, on their way.
CREATE TABLE practice_answers (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  mailbox_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  raw bytea NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
CREATE INDEX practice_answers_due ON practice_answers (due_at);

-- The first few people written to from a practice mailbox, in order: each of them answers in another way, so that a
-- first run shows every kind. Everybody after them answers by the hash of the address.
CREATE TABLE practice_first_people (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  place int NOT NULL,
  address_key text NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, place),
  UNIQUE (user_id, mailbox_id, address_key),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

CREATE FUNCTION count_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO email_counts AS c (user_id, folder, total, unread)
    SELECT user_id, folder, count(*), count(*) FILTER (WHERE NOT is_read) FROM new_rows GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (user_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE email_counts c SET total = c.total - d.total, unread = c.unread - d.unread
    FROM (SELECT user_id, folder, count(*) AS total, count(*) FILTER (WHERE NOT is_read) AS unread
          FROM old_rows GROUP BY 1, 2) d
    WHERE c.user_id = d.user_id AND c.folder = d.folder;
  ELSE
    INSERT INTO email_counts AS c (user_id, folder, total, unread)
    SELECT user_id, folder, sum(total), sum(unread) FROM (
      SELECT user_id, folder, 1 AS total, CASE WHEN is_read THEN 0 ELSE 1 END AS unread FROM new_rows
      UNION ALL
      SELECT user_id, folder, -1, CASE WHEN is_read THEN 0 ELSE -1 END FROM old_rows
    ) changes GROUP BY 1, 2 HAVING sum(total) <> 0 OR sum(unread) <> 0 ORDER BY 1, 2
    ON CONFLICT (user_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER emails_counted_in AFTER INSERT ON emails
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();
CREATE TRIGGER emails_counted_on AFTER UPDATE ON emails
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();
CREATE TRIGGER emails_counted_out AFTER DELETE ON emails
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();

-- What mailboxes need to know of mails that were put aside, which come after them.
CREATE VIEW mailbox_quarantine AS
SELECT user_id, mailbox_id, path, count(*) AS mails FROM quarantined_mails GROUP BY user_id, mailbox_id, path;

-- A folder is forgotten when the mailbox becomes another account: UIDs of the old one would point at foreign mails.
CREATE FUNCTION forget_folder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM email_locations l USING old_rows o
  WHERE l.user_id = o.user_id AND l.mailbox_id = o.mailbox_id AND l.path = o.path;
  DELETE FROM quarantined_mails q USING old_rows o
  WHERE q.user_id = o.user_id AND q.mailbox_id = o.mailbox_id AND q.path = o.path;
  RETURN NULL;
END $$;

CREATE TRIGGER mailbox_folders_forgotten AFTER DELETE ON mailbox_folders
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_folder();

CREATE FUNCTION count_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO contact_counts AS c (user_id, total)
    SELECT user_id, count(*) FROM new_rows GROUP BY 1 ORDER BY 1
    ON CONFLICT (user_id) DO UPDATE SET total = c.total + excluded.total;
  ELSE
    UPDATE contact_counts c SET total = c.total - d.total
    FROM (SELECT user_id, count(*) AS total FROM old_rows GROUP BY 1) d WHERE c.user_id = d.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER contacts_counted_in AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER contacts_counted_out AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();

-- What contacts need to know of mails and meetings, which come after them.
CREATE VIEW contact_activity AS
SELECT c.user_id, c.id AS contact_id,
  p.first_sent_at, p.last_sent_at, p.last_received_at, p.replied_at, p.interested_at, coalesce(p.follow_ups, 0) AS follow_ups,
  greatest(p.last_sent_at, p.last_received_at) AS last_contact,
  s.reason AS suppressed,
  (SELECT max(m.end_time) FROM meeting_attendees a JOIN meetings m ON m.user_id = a.user_id AND m.id = a.meeting_id
   WHERE a.user_id = c.user_id AND a.address_key = c.email_key AND m.status <> 'cancelled') AS meeting_ends_at
FROM contacts c
LEFT JOIN correspondents p ON p.user_id = c.user_id AND p.address_key = c.email_key
LEFT JOIN suppressions s ON s.user_id = c.user_id AND s.address_key = c.email_key;
`
