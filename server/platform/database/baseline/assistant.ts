/** Conversations with Wolfy. */
export const assistant = `
-- Conversations with Wolfy.
CREATE TABLE chat_sessions (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  contact_name text NOT NULL,
  contact_email text NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz NOT NULL,         -- when something was last said
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX chat_sessions_active ON chat_sessions (user_id) WHERE is_active;
CREATE INDEX chat_sessions_newest ON chat_sessions (user_id, used_at DESC, id DESC);

CREATE TABLE chat_messages (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  session_id bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'assistant')),
  content text NOT NULL,
  intent text,
  status text NOT NULL CHECK (status IN ('done', 'writing', 'stopped', 'failed')),
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  written_at timestamptz NOT NULL,      -- the last piece of an answer
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, session_id) REFERENCES chat_sessions ON DELETE CASCADE
);
CREATE INDEX chat_messages_of_session ON chat_messages (user_id, session_id, id);

-- What Wolfy proposed. A decision stays when its session is deleted.
CREATE TABLE chat_proposals (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  session_id bigint,
  message_id bigint NOT NULL,           -- the answer that it is in
  tool text NOT NULL,
  input jsonb NOT NULL,                 -- what was asked of the tool
  content jsonb NOT NULL,               -- exactly what is done
  hash text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'declined', 'replaced')),
  result jsonb,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, session_id) REFERENCES chat_sessions ON DELETE SET NULL (session_id),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK (status <> 'pending' OR session_id IS NOT NULL)
);
CREATE INDEX chat_proposals_of_session ON chat_proposals (user_id, session_id, id);
CREATE INDEX chat_proposals_pending ON chat_proposals (user_id, id) WHERE status = 'pending';
`
