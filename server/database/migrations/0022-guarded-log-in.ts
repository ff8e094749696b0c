/** Calls and log-ins are counted for all processes together. */
export const guardedLogIn = `
-- Lost with a crash, and then counted anew: not worth a wait for the disk.
CREATE UNLOGGED TABLE call_counts (
  key text PRIMARY KEY,
  calls int NOT NULL,
  ends_at timestamptz NOT NULL
);

-- One row for each name that somebody tried to log in with, whether or not there is such an account, and one more for
-- each place from which that name has logged in well: what strangers try does not count against those.
CREATE TABLE log_in_tries (
  account text NOT NULL, -- a signature of the name: people type passwords into the wrong field
  place text NOT NULL,   -- '' for all places that are not known
  failures int NOT NULL,
  last_at timestamptz NOT NULL,
  free_at timestamptz NOT NULL,
  PRIMARY KEY (account, place)
);
`
