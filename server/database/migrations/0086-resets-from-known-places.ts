/** Strangers who ask for an account's codes cannot use up those of its owner. */
export const resetsFromKnownPlaces = `
-- Of the requests of the last hour, those from where the account is known.
ALTER TABLE password_resets ADD COLUMN known_requested_at timestamptz[] NOT NULL DEFAULT '{}';
`
