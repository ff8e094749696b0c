/** Mailboxes that sign in by OAuth 2. */
export const mailboxGrants = `
-- The provider whose tokens sign in to both servers. Null: the passwords do.
ALTER TABLE mailboxes ADD COLUMN oauth_provider text;

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
`
