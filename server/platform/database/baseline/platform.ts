/** What calls and background work need, whatever they are about. */
export const platform = `
-- One row per call that carried an Idempotency-Key. The payload's hash is part of the key: another mail under the
-- same key is another mail.
CREATE TABLE idempotent_replies (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  route text NOT NULL,
  key text NOT NULL,
  payload_hash text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  status int,
  reply text,
  PRIMARY KEY (user_id, route, key, payload_hash)
);
CREATE INDEX idempotent_replies_by_age ON idempotent_replies (started_at);

-- Counts of calls and log-ins, for all processes together. A crash loses them: they are not worth waiting for the disk.
CREATE UNLOGGED TABLE call_counts (
  key text PRIMARY KEY,
  calls int NOT NULL,
  ends_at timestamptz NOT NULL
);

-- Space for files is reserved before their bytes come: one row per upload, removed when it has arrived or failed.
CREATE TABLE upload_reservations (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  bytes bigint NOT NULL,
  -- a reservation of a killed process counts no longer than this
  lapses_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);

-- Processes that run jobs. When the heartbeat of one stops, its claims are released.
CREATE TABLE workers (
  id text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL,
  -- Whether it does background work, when one of its loops last finished a step, and which of its loops fail.
  is_worker boolean NOT NULL DEFAULT false,
  round_at timestamptz,
  failing_loops text[] NOT NULL DEFAULT '{}'
);
`
