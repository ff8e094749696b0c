/** Room for files is reserved before their bytes come. */
export const uploadReservations = `
-- One row for each file that is on its way; gone when it has arrived or failed.
CREATE TABLE upload_reservations (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  bytes bigint NOT NULL,
  -- what a killed process has reserved counts no longer than this
  lapses_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
`
