/** Accounts that are deleted, restored or removed for good. */
export const leaving = `
-- While this is set, no mail of the user is sent or read: the account is deleted, or was restored a moment ago.
ALTER TABLE users ADD COLUMN mail_paused_at timestamptz;
-- Rows of the account are being removed: it can no longer be restored.
ALTER TABLE users ADD COLUMN purge_began_at timestamptz;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE FUNCTION mail_is_paused(owner bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = owner AND u.mail_paused_at IS NOT NULL)
$$;

-- Why somebody left. The row outlives the account: what it says about the account is copied, without name and address.
CREATE TABLE departure_feedback (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint UNIQUE REFERENCES users ON DELETE SET NULL,
  category text NOT NULL,
  custom_category text NOT NULL,
  rating int NOT NULL CHECK (rating BETWEEN 1 AND 5),
  details text NOT NULL,
  improvements text NOT NULL,
  competitor text NOT NULL,
  contact_consent boolean NOT NULL,
  contact_method text,
  pricing_tier text NOT NULL,
  account_age_days int NOT NULL,
  given_at timestamptz NOT NULL,
  deleted_at timestamptz          -- null: the account lives
);

-- What stays of the suppressions of removed accounts: signatures of the account's address and the suppressed one.
CREATE TABLE kept_suppressions (
  signature text PRIMARY KEY,
  reason text NOT NULL
);
`
