/** What first mails are about, and those that were shown before a run. */
export const briefs = `
CREATE TABLE briefs (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  version int NOT NULL,
  fields jsonb NOT NULL,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, version)
);

-- The version that a run writes with; null where there was none.
ALTER TABLE outreach_batches ADD COLUMN brief_version int;

-- Mails that were shown before a run and leave as they were shown.
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
  PRIMARY KEY (user_id, contact_id),
  FOREIGN KEY (user_id, contact_id) REFERENCES contacts ON DELETE CASCADE
);

-- Tests to oneself are few, and do not count as sent.
CREATE INDEX emails_tests ON emails (user_id) WHERE purpose = 'test' AND folder = 'sent';
`
