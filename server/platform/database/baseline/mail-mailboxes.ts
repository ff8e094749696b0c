/** Mail accounts, and the practice mailbox. */
export const mailboxes = `
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
  -- Receiving: when the account is due to be read again, and which worker is reading it.
  next_read_at timestamptz,
  reader_id text,
  read_failures int NOT NULL DEFAULT 0,
  -- Why the account could not be read the last time; last_error is about sending.
  read_error text,
  created_at timestamptz NOT NULL,
  disconnected_at timestamptz,
  -- a kind of IMAP failure, 'settings' or 'internal'; null while the account can be read
  read_error_kind text,
  -- The mailbox of the system account: the operator's server, which may be on a private network.
  is_system boolean NOT NULL DEFAULT false,
  -- One of the user's own accounts is the default, also while the practice mailbox is in use.
  is_default boolean NOT NULL DEFAULT false,
  -- The provider whose tokens sign in to both servers. Null: the passwords do.
  oauth_provider text,
  -- A new account begins with few automatic mails a day; null: no such limit.
  warm_up_from timestamptz,
  -- The account was not read while all mail was paused: there may be a reply that Howl does not know.
  is_behind boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX mailboxes_one_primary ON mailboxes (user_id) WHERE is_primary AND disconnected_at IS NULL;
CREATE UNIQUE INDEX mailboxes_one_practice ON mailboxes (user_id) WHERE is_practice;
CREATE INDEX mailboxes_due ON mailboxes (next_read_at) WHERE disconnected_at IS NULL AND next_read_at IS NOT NULL;
CREATE INDEX mailboxes_being_read ON mailboxes (reader_id) WHERE reader_id IS NOT NULL;
-- A practice mailbox that was left is cleared away, with everything in it.
CREATE INDEX mailboxes_left_practice ON mailboxes (user_id) WHERE is_practice AND disconnected_at IS NOT NULL;
CREATE UNIQUE INDEX mailboxes_one_default ON mailboxes (user_id) WHERE is_default AND disconnected_at IS NULL;

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

-- These belong to the user and not to one mailbox.
CREATE TABLE follow_up_settings (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  enabled boolean NOT NULL DEFAULT false,
  enabled_in_practice boolean NOT NULL DEFAULT false, -- off again once practice is left
  max_days int NOT NULL DEFAULT 14 CHECK (max_days BETWEEN 1 AND 60),
  daily_hour int NOT NULL DEFAULT 9 CHECK (daily_hour BETWEEN 0 AND 23),
  last_run_at timestamptz,
  last_sent_count int NOT NULL DEFAULT 0
);

-- What the owner of a mailbox has consented to. The tokens are sealed like passwords.
CREATE TABLE mailbox_grants (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,              -- ours: a token is good only for the client that it was given to
  subject text NOT NULL,                -- who consented, as the issuer names them
  refresh_token_box text NOT NULL,
  access_token_box text NOT NULL,
  expires_at timestamptz NOT NULL,      -- of the access token
  withdrawn_at timestamptz,             -- the issuer no longer takes the refresh token
  failures int NOT NULL DEFAULT 0,      -- renewals in a row that the issuer did not answer
  retry_at timestamptz,
  trouble text,                         -- a sentence for the owner
  PRIMARY KEY (user_id, mailbox_id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes (user_id, id) ON DELETE CASCADE
);
CREATE INDEX mailbox_grants_subject ON mailbox_grants (issuer, subject);

-- Requests for consent that a browser has not come back from yet.
CREATE TABLE oauth_requests (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  state_signature text NOT NULL,
  session_id text NOT NULL,             -- only the session that asked may finish
  provider text NOT NULL,
  mailbox_id bigint,                    -- the mailbox to connect again; null: a new one
  secrets_box text NOT NULL,            -- state, nonce and code verifier
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, state_signature)
);
CREATE INDEX oauth_requests_expired ON oauth_requests (expires_at);

-- Mail is paused: what comes in from now on is not read.
CREATE FUNCTION mailboxes_fall_behind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE mailboxes SET is_behind = true WHERE user_id = NEW.id AND next_read_at IS NOT NULL AND disconnected_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER users_pause_reading AFTER UPDATE OF mail_paused_at, is_active ON users FOR EACH ROW
  WHEN ((NEW.mail_paused_at IS NOT NULL OR NOT NEW.is_active) AND OLD.mail_paused_at IS NULL AND OLD.is_active)
  EXECUTE FUNCTION mailboxes_fall_behind();

-- Replies of the practice mailbox's invented people, on their way.
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

-- The first few people written to from a practice mailbox, in order: each replies in another way, so that a first run
-- shows every kind. The kind of all later ones follows from the hash of their address.
CREATE TABLE practice_first_people (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  place int NOT NULL,
  address_key text NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, place),
  UNIQUE (user_id, mailbox_id, address_key),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
`
