/** Two-step sign-in: the secret of an authenticator app, and recovery codes. */
export const twoStep = `
CREATE TABLE two_step (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_box text NOT NULL,             -- sealed
  begun_at timestamptz NOT NULL,
  on_since timestamptz,                 -- null: being set up, nothing asks for a code yet
  last_step bigint NOT NULL DEFAULT 0   -- the time step of the newest code that was used: each works once
);

-- Each works once in place of a code. They are kept as signatures only.
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  signature text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, signature)
);
`
