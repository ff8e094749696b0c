/** What administrators count and search. */
export const admin = `
-- Accounts opened and deleted, and mails sent, by the hour and its quarters as in mail_activity: what administrators' charts
-- draw must not read every user. No row names anybody, so what happened stays counted when an account is removed. A sum of
-- slots: each connection counts in one of them, so that few wait for one another.
CREATE TABLE house_activity (
  at timestamptz NOT NULL,
  slot int NOT NULL,
  opened int[] NOT NULL DEFAULT '{0,0,0,0}',
  deleted int[] NOT NULL DEFAULT '{0,0,0,0}',
  sent int[] NOT NULL DEFAULT '{0,0,0,0}',
  PRIMARY KEY (at, slot)
) WITH (fillfactor = 50);
-- How many accounts were ever opened is a sum over all hours in which some were.
CREATE INDEX house_activity_opened ON house_activity (at) INCLUDE (opened) WHERE opened <> '{0,0,0,0}';

-- The half hour in which each user was last seen.
CREATE TABLE seen_users (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  at timestamptz NOT NULL
);

-- Users seen in a half hour: fresh[n + 1] counts those who had not been seen in the n half hours before. So the users of a
-- day, wherever it begins, are a sum: of its first half hour fresh[1], of its second fresh[2] …, each user once.
CREATE TABLE active_users (
  at timestamptz PRIMARY KEY,
  fresh int[] NOT NULL
) WITH (fillfactor = 50);

-- How many accounts there are, as administrators' lists must not count every user each time. A sum of slots, as in
-- house_activity. No row names anybody.
CREATE TABLE account_counts (
  tier text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'inactive', 'deleted')),
  slot int NOT NULL,
  accounts int NOT NULL,
  PRIMARY KEY (tier, state, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION count_house(moment timestamptz, more_opened int, more_deleted int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO house_activity AS h (at, slot, opened, deleted)
  SELECT date_bin('1 hour', moment, 'epoch'), pg_backend_pid() % 4,
    ARRAY[q[1] * more_opened, q[2] * more_opened, q[3] * more_opened, q[4] * more_opened],
    ARRAY[q[1] * more_deleted, q[2] * more_deleted, q[3] * more_deleted, q[4] * more_deleted]
  FROM (SELECT quarters_of(ARRAY[moment]) AS q) each_one
  ON CONFLICT (at, slot) DO UPDATE SET opened = plus_quarters(h.opened, excluded.opened),
    deleted = plus_quarters(h.deleted, excluded.deleted)
$$;

-- A restored account was not deleted: the deletion is taken back on the day where it was counted.
CREATE FUNCTION count_house_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM count_house(OLD.created_at, -1, 0);
    IF OLD.deleted_at IS NOT NULL THEN PERFORM count_house(OLD.deleted_at, 0, -1); END IF;
  END IF;
  PERFORM count_house(NEW.created_at, 1, 0);
  IF NEW.deleted_at IS NOT NULL THEN PERFORM count_house(NEW.deleted_at, 0, 1); END IF;
  RETURN NULL;
END $$;
-- All of these count when a transaction ends: its other locks are taken by then, and these are held for a moment only.
CREATE CONSTRAINT TRIGGER users_counted_in AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NOT NEW.is_system) EXECUTE FUNCTION count_house_accounts();
CREATE CONSTRAINT TRIGGER users_counted_on AFTER UPDATE OF created_at, deleted_at ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NOT NEW.is_system AND (OLD.created_at, OLD.deleted_at) IS DISTINCT FROM (NEW.created_at, NEW.deleted_at))
  EXECUTE FUNCTION count_house_accounts();

CREATE FUNCTION count_house_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE more int[] := NEW.sent;
BEGIN
  IF TG_OP = 'UPDATE' THEN more := minus_by_quarter(NEW.sent, OLD.sent); END IF;
  IF more = '{0,0,0,0}' OR EXISTS (SELECT FROM users WHERE id = NEW.user_id AND is_system) THEN RETURN NULL; END IF;
  INSERT INTO house_activity AS h (at, slot, sent) VALUES (NEW.at, pg_backend_pid() % 4, more)
  ON CONFLICT (at, slot) DO UPDATE SET sent = plus_quarters(h.sent, excluded.sent);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER mail_activity_counted AFTER INSERT OR UPDATE OF sent ON mail_activity
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_house_mails();

-- Unlike minus_quarters, this goes below 0.
CREATE FUNCTION minus_by_quarter(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4]]
$$;

CREATE FUNCTION count_active_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := date_bin('30 minutes', NEW.last_seen_at, 'epoch');
  seen_at timestamptz;
  away int := 50;
BEGIN
  -- The account may be removed at this moment.
  PERFORM FROM users WHERE id = NEW.user_id AND NOT is_system FOR KEY SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO seen_users (user_id, at) VALUES (NEW.user_id, '-infinity') ON CONFLICT DO NOTHING;
  SELECT at INTO seen_at FROM seen_users WHERE user_id = NEW.user_id FOR UPDATE;
  IF seen_at >= now_at THEN RETURN NULL; END IF;
  UPDATE seen_users SET at = now_at WHERE user_id = NEW.user_id;
  -- A day has 25 hours at most.
  IF seen_at > now_at - interval '25 hours' THEN away := extract(epoch FROM now_at - seen_at) / 1800; END IF;
  INSERT INTO active_users AS a (at, fresh)
  SELECT now_at, array_agg((n <= away)::int ORDER BY n) FROM generate_series(1, 50) n
  ON CONFLICT (at) DO UPDATE
    SET fresh = (SELECT array_agg(x + y ORDER BY n) FROM unnest(a.fresh, excluded.fresh) WITH ORDINALITY AS both_of(x, y, n));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER sessions_counted_in AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_active_user();
CREATE CONSTRAINT TRIGGER sessions_counted_on AFTER UPDATE OF last_seen_at ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (date_bin('30 minutes', OLD.last_seen_at, 'epoch') < date_bin('30 minutes', NEW.last_seen_at, 'epoch'))
  EXECUTE FUNCTION count_active_user();

-- The words of name, address, user name and company, which administrators search by their beginnings.
CREATE FUNCTION user_words(variadic texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT array_to_tsvector(array_remove(string_to_array(translate(lower(array_to_string(texts, ' ')),
    E'!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~\\t\\r\\n', rpad('', 36)), ' '), ''))
$$;
CREATE INDEX users_words ON users USING gin (user_words(name, email, username, company_name));

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
-- They count when a transaction ends, like those of house_activity.
CREATE CONSTRAINT TRIGGER users_counted_by_state_in AFTER INSERT OR DELETE ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_accounts();
CREATE CONSTRAINT TRIGGER users_counted_by_state_on AFTER UPDATE OF pricing_tier, is_active, deleted_at, is_system ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.pricing_tier, OLD.is_active, OLD.deleted_at IS NULL, OLD.is_system)
    IS DISTINCT FROM (NEW.pricing_tier, NEW.is_active, NEW.deleted_at IS NULL, NEW.is_system))
  EXECUTE FUNCTION count_accounts();
`
