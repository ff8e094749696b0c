/** The doors of the administrator area, and what its lists count. */
export const administrators = `
-- A token is of one audience: that of an administrator opens nothing of the user's, and the other way round.
ALTER TABLE sessions ADD COLUMN audience text NOT NULL DEFAULT 'user' CHECK (audience IN ('user', 'admin'));

-- The access codes that Howl made itself, as signatures.
CREATE TABLE admin_access_codes (
  signature text PRIMARY KEY,
  made_at timestamptz NOT NULL
);

-- Links by which the operator becomes the first administrator, as signatures. Using one removes them all.
CREATE TABLE admin_claims (
  signature text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- What an administrator said on deleting the account; null when its owner deleted it.
ALTER TABLE users ADD COLUMN deletion_reason text;

-- Counts of accounts read this index alone: the rows are wide.
CREATE INDEX users_counted ON users (created_at, id)
  INCLUDE (deleted_at, is_active, is_admin, is_system, pricing_tier);

-- Somebody must be able to come in: the last administrator stays one. Two who leave at once wait for each other.
CREATE FUNCTION keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('howl: administrators'));
  IF NOT EXISTS (SELECT FROM users WHERE is_admin AND is_active AND deleted_at IS NULL AND id <> OLD.id) THEN
    RAISE EXCEPTION 'the last administrator' USING ERRCODE = 'HW001';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER users_keep_an_administrator BEFORE UPDATE OF is_admin, is_active, deleted_at ON users
  FOR EACH ROW WHEN (OLD.is_admin AND OLD.is_active AND OLD.deleted_at IS NULL
    AND NOT (NEW.is_admin AND NEW.is_active AND NEW.deleted_at IS NULL))
  EXECUTE FUNCTION keep_an_administrator();
CREATE INDEX users_administrators ON users (id) WHERE is_admin;
`
