/** Conversations with Wolfy, what he proposed, and what each use of a language model cost. */
export const assistant = `
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

-- What was decided stays when its session is deleted.
CREATE TABLE chat_proposals (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  session_id bigint,
  message_id bigint NOT NULL,           -- the answer that it stands in
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

-- One row for each use of a language model. An open row holds its place in the day's limit, or a credit.
CREATE TABLE ai_uses (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  day text NOT NULL,                    -- of the user's time zone
  purpose text NOT NULL,
  model text NOT NULL,
  paid_by text NOT NULL CHECK (paid_by IN ('plan', 'credit', 'nothing')),
  state text NOT NULL CHECK (state IN ('open', 'used', 'failed')),
  input_tokens bigint,
  output_tokens bigint,
  milliseconds bigint,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (user_id, id),
  CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE INDEX ai_uses_of_day ON ai_uses (user_id, day);
CREATE INDEX ai_uses_open ON ai_uses (user_id) WHERE state = 'open';
`
