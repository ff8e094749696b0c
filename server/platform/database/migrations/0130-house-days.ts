/** What administrators see by days is counted by the day in UTC. */
export const houseDays = `
-- Accounts opened and deleted, mails sent and users who were there, by the day in UTC: what administrators' charts draw must not
-- read every user. No row names anybody, so what happened stays counted when an account is removed. A sum of slots: each
-- connection counts in one of them, so that few wait for one another.
CREATE TABLE house_days (
  day timestamptz NOT NULL,
  slot int NOT NULL,
  opened int NOT NULL DEFAULT 0,
  deleted int NOT NULL DEFAULT 0,
  sent int NOT NULL DEFAULT 0,
  seen int NOT NULL DEFAULT 0,
  PRIMARY KEY (day, slot)
) WITH (fillfactor = 50);

-- The figures of past days. A day's users are those of its first half hour, then in each those who were not there before.
INSERT INTO house_days (day, slot, opened, deleted, sent, seen)
SELECT day, slot, sum(opened), sum(deleted), sum(sent), sum(seen)
FROM (
  SELECT date_bin('1 day', at, 'epoch') AS day, slot, opened[1] + opened[2] + opened[3] + opened[4] AS opened,
    deleted[1] + deleted[2] + deleted[3] + deleted[4] AS deleted, sent[1] + sent[2] + sent[3] + sent[4] AS sent, 0 AS seen
  FROM house_activity
  UNION ALL
  SELECT date_bin('1 day', at, 'epoch'), 0, 0, 0, 0,
    fresh[1 + extract(epoch FROM at - date_bin('1 day', at, 'epoch'))::int / 1800]
  FROM active_users
) counted GROUP BY 1, 2;
DROP TABLE house_activity, active_users;

-- The day on which each user was last seen.
ALTER TABLE seen_users RENAME at TO day;
UPDATE seen_users SET day = date_bin('1 day', day, 'epoch') WHERE day > '-infinity';

DROP FUNCTION count_house(timestamptz, int, int);
CREATE FUNCTION count_house(moment timestamptz, more_opened int, more_deleted int, more_sent int, more_seen int)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO house_days AS h (day, slot, opened, deleted, sent, seen)
  VALUES (date_bin('1 day', moment, 'epoch'), pg_backend_pid() % 4, more_opened, more_deleted, more_sent, more_seen)
  ON CONFLICT (day, slot) DO UPDATE SET opened = h.opened + excluded.opened, deleted = h.deleted + excluded.deleted,
    sent = h.sent + excluded.sent, seen = h.seen + excluded.seen
$$;

-- A restored account was not deleted: the deletion is taken back on the day where it was counted.
CREATE OR REPLACE FUNCTION count_house_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM count_house(OLD.created_at, -1, 0, 0, 0);
    IF OLD.deleted_at IS NOT NULL THEN PERFORM count_house(OLD.deleted_at, 0, -1, 0, 0); END IF;
  END IF;
  PERFORM count_house(NEW.created_at, 1, 0, 0, 0);
  IF NEW.deleted_at IS NOT NULL THEN PERFORM count_house(NEW.deleted_at, 0, 1, 0, 0); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_house_mails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE more int := NEW.sent[1] + NEW.sent[2] + NEW.sent[3] + NEW.sent[4];
BEGIN
  IF TG_OP = 'UPDATE' THEN more := more - (OLD.sent[1] + OLD.sent[2] + OLD.sent[3] + OLD.sent[4]); END IF;
  IF more = 0 OR EXISTS (SELECT FROM users WHERE id = NEW.user_id AND is_system) THEN RETURN NULL; END IF;
  PERFORM count_house(NEW.at, 0, 0, more, 0);
  RETURN NULL;
END $$;
DROP FUNCTION minus_by_quarter(int[], int[]);

CREATE OR REPLACE FUNCTION count_active_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The account may be removed at this moment.
  PERFORM FROM users WHERE id = NEW.user_id AND NOT is_system FOR KEY SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO seen_users AS s (user_id, day) VALUES (NEW.user_id, date_bin('1 day', NEW.last_seen_at, 'epoch'))
  ON CONFLICT (user_id) DO UPDATE SET day = excluded.day WHERE s.day < excluded.day;
  IF FOUND THEN PERFORM count_house(NEW.last_seen_at, 0, 0, 0, 1); END IF;
  RETURN NULL;
END $$;
DROP TRIGGER sessions_counted_on ON sessions;
CREATE CONSTRAINT TRIGGER sessions_counted_on AFTER UPDATE OF last_seen_at ON sessions DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (date_bin('1 day', OLD.last_seen_at, 'epoch') < date_bin('1 day', NEW.last_seen_at, 'epoch'))
  EXECUTE FUNCTION count_active_user();
`
