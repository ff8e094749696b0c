/** The mails that a user writes once for many people. */
export const templates = `
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
`
