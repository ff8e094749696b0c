/** What tells whether this Howl is well. */
export const systemHealth = `
-- Which processes do background work, when one of its loops last came to the end of a step, and which of them fail.
ALTER TABLE workers ADD COLUMN is_worker boolean NOT NULL DEFAULT false;
ALTER TABLE workers ADD COLUMN round_at timestamptz;
ALTER TABLE workers ADD COLUMN failing_loops text[] NOT NULL DEFAULT '{}';

-- When the chain of the activity log was last compared, and how that ended: one row.
CREATE TABLE activity_checks (
  id smallint PRIMARY KEY CHECK (id = 1),
  checked_at timestamptz NOT NULL,
  is_whole boolean NOT NULL,
  checked bigint NOT NULL
);
`
