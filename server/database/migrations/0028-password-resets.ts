/** Codes and links that set a new password. */
export const passwordResets = `
-- The newest code and the newest link of an account. They are kept as signatures only.
CREATE TABLE password_resets (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('code', 'link')),
  signature text,                       -- null: used up, or killed by wrong tries
  expires_at timestamptz NOT NULL,
  wrong_tries int NOT NULL DEFAULT 0,
  requested_at timestamptz[] NOT NULL,  -- the requests of the last hour
  PRIMARY KEY (user_id, kind)
);
CREATE UNIQUE INDEX password_resets_signature ON password_resets (signature);
`
