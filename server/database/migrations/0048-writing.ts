/** What a language model may read by itself: the user's own sent mails, and replies that the rules do not understand. */
export const modelReading = `
CREATE TABLE writing_settings (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  learns_tone boolean NOT NULL,
  reads_replies boolean NOT NULL
);

-- Texts that Howl has proposed, so that they are not taken for the user's own. Only their hashes.
CREATE TABLE proposed_texts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  hash text NOT NULL,
  proposed_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, hash)
);
CREATE INDEX proposed_texts_old ON proposed_texts (user_id, proposed_at);

-- Replies that a language model is still to be asked about.
CREATE TABLE unsure_replies (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  email_id bigint NOT NULL,
  queued_at timestamptz NOT NULL,
  next_try_at timestamptz NOT NULL,     -- while it is asked: when whoever asks has died
  tries integer NOT NULL,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX unsure_replies_due ON unsure_replies (next_try_at);
`
