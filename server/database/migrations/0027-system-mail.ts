/** Mails from Howl itself: codes, links, invitations, notices. */
export const systemMail = `
-- The account that system mail is sent from. Nobody can sign in to it.
ALTER TABLE users ADD COLUMN is_system boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX users_one_system ON users (is_system) WHERE is_system;

-- Its mailbox: the operator's server, which may be on a private network.
ALTER TABLE mailboxes ADD COLUMN is_system boolean NOT NULL DEFAULT false;

-- The outbox. A row is written in the transaction of what it tells of, and is gone a while after the mail left.
CREATE TABLE system_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'failed')),
  to_address text NOT NULL,
  content_box text,               -- subject, text and HTML, sealed: they may hold a code; null once the mail has left
  email_id bigint,                -- while it is being sent
  reason text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL, -- after this it is of no use to its reader
  settled_at timestamptz
);
CREATE INDEX system_mails_open ON system_mails (state, id) WHERE state IN ('waiting', 'sending');
CREATE INDEX system_mails_settled ON system_mails (settled_at) WHERE settled_at IS NOT NULL;
`
