/**
 * What the administrator's charts draw, counted for the whole house as it happens: a look at a year must not read every user.
 * No row names anybody, so what happened stays counted when an account is removed.
 */
export const houseFigures = `
-- Accounts opened and deleted, and mails sent, by the hour, and in each hour by its quarters (like mail_activity). A sum of
-- slots: each connection counts in one of them, so that few wait for one another.
CREATE TABLE house_activity (
  at timestamptz NOT NULL,
  slot int NOT NULL,
  opened int[] NOT NULL DEFAULT '{0,0,0,0}',
  deleted int[] NOT NULL DEFAULT '{0,0,0,0}',
  sent int[] NOT NULL DEFAULT '{0,0,0,0}',
  PRIMARY KEY (at, slot)
) WITH (fillfactor = 50);
-- How many accounts were ever opened is a sum over all time, of hours in which some were.
CREATE INDEX house_activity_opened ON house_activity (at) INCLUDE (opened) WHERE opened <> '{0,0,0,0}';

CREATE FUNCTION count_house(moment timestamptz, more_opened int, more_deleted int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO house_activity AS h (at, slot, opened, deleted)
  SELECT date_bin('1 hour', moment, 'epoch'), pg_backend_pid() % 4,
    ARRAY[q[1] * more_opened, q[2] * more_opened, q[3] * more_opened, q[4] * more_opened],
    ARRAY[q[1] * more_deleted, q[2] * more_deleted, q[3] * more_deleted, q[4] * more_deleted]
  FROM (SELECT quarters_of(ARRAY[moment]) AS q) each_one
  ON CONFLICT (at, slot) DO UPDATE SET opened = plus_quarters(h.opened, excluded.opened),
    deleted = plus_quarters(h.deleted, excluded.deleted)
$$;

-- Whoever is restored has not left: the deletion is taken back on the day where it was counted.
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

CREATE FUNCTION count_house_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE more int[] := NEW.sent;
BEGIN
  IF TG_OP = 'UPDATE' THEN more := minus_by_quarter(NEW.sent, OLD.sent); END IF;
  IF more = '{0,0,0,0}' OR EXISTS (SELECT FROM users WHERE id = NEW.user_id AND is_system) THEN RETURN NULL; END IF;
  INSERT INTO house_activity AS h (at, slot, sent) VALUES (NEW.at, pg_backend_pid() % 4, more)
  ON CONFLICT (at, slot) DO UPDATE SET sent = plus_quarters(h.sent, excluded.sent);
  RETURN NULL;
END $$;
-- Unlike minus_quarters it goes below 0.
CREATE FUNCTION minus_by_quarter(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4]]
$$;

-- The half hour in which each user was last seen.
CREATE TABLE seen_users (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  at timestamptz NOT NULL
);

-- Who was there in a half hour: fresh[n + 1] counts those who had not been there in the n half hours before. So the users of a
-- day, wherever it begins, are a sum: of its first half hour fresh[1], of its second fresh[2] …, each user once.
CREATE TABLE active_users (
  at timestamptz PRIMARY KEY,
  fresh int[] NOT NULL
) WITH (fillfactor = 50);

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

-- Words that begin with what an administrator types: of name, address, user name and company.
CREATE FUNCTION user_words(variadic texts text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT array_to_tsvector(array_remove(string_to_array(translate(lower(array_to_string(texts, ' ')),
    E'!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~\\t\\r\\n', rpad('', 36)), ' '), ''))
$$;
CREATE INDEX users_words ON users USING gin (user_words(name, email, username, company_name));

-- Feedback is counted, filtered and ordered in here; texts are read for one page.
CREATE INDEX departure_feedback_counted ON departure_feedback (category, rating, id)
  INCLUDE (given_at, deleted_at, contact_consent, pricing_tier, account_age_days);
CREATE INDEX departure_feedback_newest ON departure_feedback (given_at, id);

-- What was before: accounts, those of removed ones whose feedback tells when, and the mails that are counted.
INSERT INTO house_activity (at, slot, opened)
SELECT date_bin('1 hour', created_at, 'epoch'), 0, quarters_of(array_agg(created_at))
FROM (
  SELECT created_at FROM users WHERE NOT is_system
  UNION ALL SELECT given_at - account_age_days * interval '1 day' FROM departure_feedback WHERE user_id IS NULL
) accounts GROUP BY 1;
INSERT INTO house_activity AS h (at, slot, deleted)
SELECT date_bin('1 hour', deleted_at, 'epoch'), 0, quarters_of(array_agg(deleted_at))
FROM (
  SELECT deleted_at FROM users WHERE NOT is_system
  UNION ALL SELECT deleted_at FROM departure_feedback WHERE user_id IS NULL
) accounts WHERE deleted_at IS NOT NULL GROUP BY 1
ON CONFLICT (at, slot) DO UPDATE SET deleted = excluded.deleted;
INSERT INTO house_activity AS h (at, slot, sent)
SELECT m.at, 0, ARRAY[sum(sent[1]), sum(sent[2]), sum(sent[3]), sum(sent[4])]::int[]
FROM mail_activity m JOIN users u ON u.id = m.user_id AND NOT u.is_system GROUP BY 1
ON CONFLICT (at, slot) DO UPDATE SET sent = excluded.sent;
INSERT INTO seen_users (user_id, at)
SELECT user_id, date_bin('30 minutes', max(last_seen_at), 'epoch') FROM sessions GROUP BY 1;

-- All of them count when a transaction ends: its other locks are taken by then, and these are held for a moment only.
CREATE CONSTRAINT TRIGGER users_counted_in AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NOT NEW.is_system) EXECUTE FUNCTION count_house_accounts();
CREATE CONSTRAINT TRIGGER users_counted_on AFTER UPDATE OF created_at, deleted_at ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NOT NEW.is_system AND (OLD.created_at, OLD.deleted_at) IS DISTINCT FROM (NEW.created_at, NEW.deleted_at))
  EXECUTE FUNCTION count_house_accounts();
CREATE CONSTRAINT TRIGGER mail_activity_counted AFTER INSERT OR UPDATE OF sent ON mail_activity
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_house_mails();
CREATE CONSTRAINT TRIGGER sessions_counted_in AFTER INSERT ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_active_user();
CREATE CONSTRAINT TRIGGER sessions_counted_on AFTER UPDATE OF last_seen_at ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (date_bin('30 minutes', OLD.last_seen_at, 'epoch') < date_bin('30 minutes', NEW.last_seen_at, 'epoch'))
  EXECUTE FUNCTION count_active_user();
`
