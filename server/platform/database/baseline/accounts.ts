/** Users and how they sign in, bans, credits, and what Howl itself tells people. */
export const accounts = `
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
  deleted_at timestamptz,
  -- Added below the mails that the user writes.
  signature text NOT NULL DEFAULT '',
  -- The account that system mail is sent from. Nobody can sign in to it.
  is_system boolean NOT NULL DEFAULT false,
  -- While this is set, no mail of the user is sent or read: the account is deleted, or its mail is held after a restore.
  mail_paused_at timestamptz,
  -- Rows of the account are being removed: it can no longer be restored.
  purge_began_at timestamptz,
  email_confirmed_at timestamptz,
  -- What an administrator said on deleting the account; null when its owner deleted it.
  deletion_reason text
);
CREATE UNIQUE INDEX users_one_system ON users (is_system) WHERE is_system;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;
-- Counts of accounts read this index alone: the rows are wide.
CREATE INDEX users_counted ON users (created_at, id)
  INCLUDE (deleted_at, is_active, is_admin, is_system, pricing_tier);
CREATE INDEX users_administrators ON users (id) WHERE is_admin;
-- Administrators look users up by the first letters, while they type.
CREATE INDEX users_email_beginning ON users (email_key text_pattern_ops);
CREATE INDEX users_username_beginning ON users (username_key text_pattern_ops);
CREATE INDEX users_name_beginning ON users (lower(name) text_pattern_ops);

CREATE TABLE sessions (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  ip text NOT NULL,
  user_agent text NOT NULL,
  -- A token is of one audience: that of an administrator opens nothing of the user's, and the other way round.
  audience text NOT NULL DEFAULT 'user' CHECK (audience IN ('user', 'admin')),
  PRIMARY KEY (user_id, id)
);

-- One row for each name that somebody tried to log in with, whether or not there is such an account, and one more for
-- each place from which that name has logged in successfully: what strangers try does not count against those.
CREATE TABLE log_in_tries (
  account text NOT NULL,                -- a signature of the name: people type passwords into the wrong field
  place text NOT NULL,                  -- '' for all places that are not known
  failures int NOT NULL,
  last_at timestamptz NOT NULL,
  free_at timestamptz NOT NULL,
  PRIMARY KEY (account, place)
);

-- The newest code and the newest link that set a new password. Only their signatures are kept.
CREATE TABLE password_resets (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('code', 'link')),
  signature text,                       -- null: used, or invalid after wrong tries
  expires_at timestamptz NOT NULL,
  wrong_tries int NOT NULL DEFAULT 0,
  requested_at timestamptz[] NOT NULL,  -- the requests of the last hour
  -- Of those, the ones from places where the account is known: strangers who ask for codes cannot use up the owner's.
  known_requested_at timestamptz[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (user_id, kind)
);
CREATE UNIQUE INDEX password_resets_signature ON password_resets (signature);

-- The newest link that confirms an account's address. Only its signature is kept.
CREATE TABLE email_confirmations (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  signature text NOT NULL,
  expires_at timestamptz NOT NULL,
  requested_at timestamptz[] NOT NULL,  -- the requests of the last hour
  PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX email_confirmations_signature ON email_confirmations (signature);

-- The secret of an authenticator app.
CREATE TABLE two_step (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_box text NOT NULL,             -- sealed
  begun_at timestamptz NOT NULL,
  on_since timestamptz,                 -- null: being set up, nothing asks for a code yet
  last_step bigint NOT NULL DEFAULT 0   -- the time step of the newest code that was used: each works once
);

-- Recovery codes: each works once in place of a code. Only their signatures are kept.
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  signature text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, signature)
);

-- The administrator who banned, lifted or answered is kept without a reference: the row outlives their account.
CREATE TABLE bans (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  reason text NOT NULL,
  description text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'expired', 'lifted')),
  by_rules boolean NOT NULL,            -- by the rules of abuse
  banned_by bigint,
  banned_at timestamptz NOT NULL,
  expires_at timestamptz,               -- null: permanent
  ended_at timestamptz,
  lifted_by bigint,
  unban_reason text,
  -- The newest token that lets the user appeal, as a signature; null once it is used.
  appeal_signature text,
  appeal_until timestamptz,
  PRIMARY KEY (user_id, id),
  CHECK (expires_at > banned_at),
  CHECK ((status = 'active') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX bans_newest ON bans (id);
CREATE INDEX bans_by_status ON bans (status, id);
-- users.is_active is false while there is such a row.
CREATE UNIQUE INDEX bans_in_force ON bans (user_id) WHERE status = 'active';
CREATE INDEX bans_due ON bans (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX bans_appeal ON bans (appeal_signature) WHERE appeal_signature IS NOT NULL;

CREATE TABLE appeals (
  user_id bigint NOT NULL,
  ban_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  message text NOT NULL,
  submitted_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('lift', 'keep')),
  answer text,
  answered_at timestamptz,
  answered_by bigint,
  PRIMARY KEY (user_id, ban_id, id),
  FOREIGN KEY (user_id, ban_id) REFERENCES bans (user_id, id) ON DELETE CASCADE,
  CHECK ((answered_at IS NULL) = (decision IS NULL) AND (answered_at IS NULL) = (answer IS NULL))
);
CREATE UNIQUE INDEX appeals_open ON appeals (ban_id) WHERE answered_at IS NULL;

-- A ban stops mail as a pause does. The two are kept apart: the end of one does not end the other.
CREATE FUNCTION mail_is_paused(owner bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = owner AND (u.mail_paused_at IS NOT NULL OR NOT u.is_active))
$$;

-- The mailbox that an address leads to: without anything after a plus, and at Gmail without dots.
CREATE FUNCTION inbox_key(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN host IN ('gmail.com', 'googlemail.com') THEN replace(bare, '.', '') || '@gmail.com'
    ELSE bare || '@' || host END
  FROM (SELECT coalesce(nullif(split_part(name, '+', 1), ''), name) AS bare, host
        FROM (SELECT split_part(lower(address), '@', 1) AS name, split_part(lower(address), '@', 2) AS host) parts) cut
$$;
CREATE INDEX users_inbox ON users (inbox_key(email_key));

-- The access codes that Howl made itself, as signatures.
CREATE TABLE admin_access_codes (
  signature text PRIMARY KEY,
  made_at timestamptz NOT NULL
);

-- Links by which the operator becomes the first administrator, as signatures. Using one removes them all.
CREATE TABLE admin_claims (
  signature text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- The last administrator stays one. Two who leave at the same time wait for each other.
CREATE FUNCTION keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('howl: administrators'));
  IF NOT EXISTS (SELECT FROM users WHERE is_admin AND is_active AND deleted_at IS NULL AND id <> OLD.id) THEN
    RAISE EXCEPTION 'the last administrator' USING ERRCODE = 'HW001';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER users_keep_an_administrator BEFORE UPDATE OF is_admin, is_active, deleted_at ON users
  FOR EACH ROW WHEN (OLD.is_admin AND OLD.is_active AND OLD.deleted_at IS NULL
    AND NOT (NEW.is_admin AND NEW.is_active AND NEW.deleted_at IS NULL))
  EXECUTE FUNCTION keep_an_administrator();

-- The ledger of credits. Rows are only ever added. Spending and expiry name the row that they take from.
CREATE TABLE credit_entries (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'expired')),
  amount int NOT NULL CHECK (amount <> 0 AND (amount > 0) = (kind = 'earned')),
  friend_hash text,                     -- earned by inviting this friend; null: for the user's own sign-up
  of_entry bigint,                      -- the earned row that is spent or has expired
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, of_entry) REFERENCES credit_entries ON DELETE CASCADE,
  CHECK ((kind = 'earned') = (of_entry IS NULL) AND (kind = 'earned') = (expires_at IS NOT NULL))
);
CREATE INDEX credit_entries_taken ON credit_entries (user_id, of_entry) WHERE of_entry IS NOT NULL;
CREATE UNIQUE INDEX credit_entries_expired ON credit_entries (user_id, of_entry) WHERE kind = 'expired';
CREATE INDEX credit_entries_expiring ON credit_entries (expires_at) WHERE kind = 'earned';

-- A row goes only with its account.
CREATE FUNCTION keep_credit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM users WHERE id = OLD.user_id AND deleted_at IS NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'credit_entries is append-only';
END $$;
CREATE TRIGGER credit_entries_kept BEFORE UPDATE OR DELETE ON credit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_credit_entries();
CREATE TRIGGER credit_entries_not_emptied BEFORE TRUNCATE ON credit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_credit_entries();

-- What administrators are told; all of them share it.
CREATE TABLE admin_notifications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint REFERENCES users ON DELETE CASCADE, -- whom it is about
  topic text NOT NULL,                  -- what it is about: an unread one of the same topic is renewed
  title text NOT NULL,
  message text NOT NULL,
  priority smallint NOT NULL CHECK (priority BETWEEN 1 AND 5),
  created_at timestamptz NOT NULL,
  read_at timestamptz
);
CREATE UNIQUE INDEX admin_notifications_unread ON admin_notifications (topic) WHERE read_at IS NULL;
CREATE INDEX admin_notifications_newest ON admin_notifications (created_at, id);
CREATE INDEX admin_notifications_user ON admin_notifications (user_id);

-- The outbox of mails from Howl itself: codes, links, invitations, notices. A row is written in the transaction of what it
-- is about, and removed a while after the mail has left.
CREATE TABLE system_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'failed', 'held')),
  to_address text NOT NULL,
  content_box text,                     -- subject, text and HTML, sealed: they may hold a code; null once the mail has left
  email_id bigint,                      -- while it is being sent
  reason text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,      -- after this it is of no use to its reader
  settled_at timestamptz
);
CREATE INDEX system_mails_open ON system_mails (state, id) WHERE state IN ('waiting', 'sending');
CREATE INDEX system_mails_settled ON system_mails (settled_at) WHERE settled_at IS NOT NULL;
`
