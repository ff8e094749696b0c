/** Two mails may have one Message-ID, and one sent mail may have two. */
export const mailIdentity = `
-- Of what is the same in every folder; null: written here, only its envelope is known, or stored by an earlier version.
ALTER TABLE emails ADD digest text;

-- Message-IDs that a provider gave its own copies of mails that were written here: answers name these.
CREATE TABLE rewritten_message_ids (
  user_id bigint NOT NULL,
  message_id text NOT NULL,
  email_id bigint NOT NULL,
  PRIMARY KEY (user_id, message_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX rewritten_message_ids_by_email ON rewritten_message_ids (user_id, email_id);
`
