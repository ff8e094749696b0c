/** What writing mails keeps beside the mails themselves: files, what the user wrote without the quote, copies of drafts. */
export const writing = `
-- Files for mails that are written here; the bytes are in the blob store. One file may stand in several mails.
CREATE TABLE uploads (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  type text NOT NULL,
  size bigint NOT NULL,
  blob_key text NOT NULL,
  -- false while, or since, no mail has it: such a file goes after a day
  is_used boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX uploads_unused ON uploads (created_at) WHERE NOT is_used;
CREATE INDEX uploads_unused_by_user ON uploads (user_id) WHERE NOT is_used;

-- The files of a mail that was written here, in its order.
CREATE TABLE email_files (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  place int NOT NULL,
  upload_id bigint NOT NULL,
  content_id text,
  inline boolean NOT NULL DEFAULT false,
  -- came with the mail that is quoted or forwarded
  is_quoted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, email_id, place),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE,
  FOREIGN KEY (user_id, upload_id) REFERENCES uploads
);
CREATE INDEX email_files_by_upload ON email_files (user_id, upload_id);

CREATE FUNCTION free_uploads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE uploads u SET is_used = false FROM old_rows o
  WHERE u.user_id = o.user_id AND u.id = o.upload_id AND u.is_used
    AND NOT EXISTS (SELECT FROM email_files f WHERE f.user_id = u.user_id AND f.upload_id = u.id);
  RETURN NULL;
END $$;
CREATE TRIGGER email_files_gone AFTER DELETE ON email_files
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION free_uploads();

-- What is known of a mail that was written here beside its words: every draft has a row, and every mail that can become
-- a draft again as it was.
CREATE TABLE compositions (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  -- the words without the quoted or forwarded mail, where the mail holds both
  own_text text,
  own_html text,
  quote_of bigint,
  forward_of bigint,
  -- the meeting that the answer arranges
  meeting_id bigint,
  -- the mail that was sent of this draft
  sent_as bigint,
  -- goes up with every change; file_at is when the account's Drafts folder is to get the newest, null: it has it
  version int NOT NULL DEFAULT 1,
  file_at timestamptz,
  refusals int NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX compositions_to_file ON compositions (file_at) WHERE file_at IS NOT NULL;
`
