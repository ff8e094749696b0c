/** How many accounts there are: what administrators look at must not count every user each time. */
export const accountCounts = `
-- A sum of slots, as in house_activity. No row names anybody.
CREATE TABLE account_counts (
  tier text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'inactive', 'deleted')),
  slot int NOT NULL,
  accounts int NOT NULL,
  PRIMARY KEY (tier, state, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION state_of_account(is_active boolean, deleted_at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN is_active THEN 'active' ELSE 'inactive' END
$$;
CREATE FUNCTION count_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Always in the same order, so that no two transactions wait for each other.
  INSERT INTO account_counts AS c (tier, state, slot, accounts)
  SELECT tier, state, pg_backend_pid() % 4, sum(more)
  FROM (
    SELECT OLD.pricing_tier AS tier, state_of_account(OLD.is_active, OLD.deleted_at) AS state, -1 AS more
    WHERE TG_OP <> 'INSERT' AND NOT OLD.is_system
    UNION ALL
    SELECT NEW.pricing_tier, state_of_account(NEW.is_active, NEW.deleted_at), 1
    WHERE TG_OP <> 'DELETE' AND NOT NEW.is_system
  ) changed GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tier, state, slot) DO UPDATE SET accounts = c.accounts + excluded.accounts;
  RETURN NULL;
END $$;

INSERT INTO account_counts (tier, state, slot, accounts)
SELECT pricing_tier, state_of_account(is_active, deleted_at), 0, count(*) FROM users WHERE NOT is_system GROUP BY 1, 2;

-- They count when a transaction ends, like those of house_activity.
CREATE CONSTRAINT TRIGGER users_counted_by_state_in AFTER INSERT OR DELETE ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_accounts();
CREATE CONSTRAINT TRIGGER users_counted_by_state_on AFTER UPDATE OF pricing_tier, is_active, deleted_at, is_system ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.pricing_tier, OLD.is_active, OLD.deleted_at IS NULL, OLD.is_system)
    IS DISTINCT FROM (NEW.pricing_tier, NEW.is_active, NEW.deleted_at IS NULL, NEW.is_system))
  EXECUTE FUNCTION count_accounts();
`
