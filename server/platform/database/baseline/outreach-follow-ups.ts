/** Automatic follow-ups. */
export const followUps = `
-- One row per user who has ever touched the settings; what is due is found by next_run_at, whatever the number of users.
CREATE TABLE follow_up_plans (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  -- null: nothing runs
  next_run_at timestamptz,
  -- settings have changed since it was planned
  is_stale boolean NOT NULL DEFAULT true,
  -- the user's local day of the newest run
  last_day text
);
CREATE INDEX follow_up_plans_due ON follow_up_plans (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX follow_up_plans_stale ON follow_up_plans (user_id) WHERE is_stale;

-- One row per user and local day on which follow-ups ran.
CREATE TABLE follow_up_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  day text NOT NULL,
  -- the group of its mails; from the ids of runs, which name groups too
  group_id bigint NOT NULL,
  started_at timestamptz NOT NULL,
  -- all its mails are queued
  finished_at timestamptz,
  -- all its mails have left, failed or were taken back
  settled_at timestamptz,
  -- the worker that writes its mails
  driver_id text,
  -- contacts up to this first mail and address have been looked at
  after_first_at timestamptz,
  after_key text NOT NULL DEFAULT '',
  queued int NOT NULL DEFAULT 0,
  sent int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  templated int NOT NULL DEFAULT 0,
  -- how many contacts were left out, by the sentence that says why
  skipped jsonb NOT NULL DEFAULT '{}',
  ai_use_id bigint,
  tokens_used bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX follow_up_days_open ON follow_up_days (user_id, day) WHERE finished_at IS NULL;
CREATE INDEX follow_up_days_unsettled ON follow_up_days (user_id, day) WHERE settled_at IS NULL;

-- "Follow-up n to this contact": one row per mail.
CREATE TABLE follow_up_mails (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  email_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  address_key text NOT NULL,
  number int NOT NULL CHECK (number BETWEEN 1 AND 3),
  day text NOT NULL,
  -- withdrawn: held back before it left, and still to be cleared away
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'withdrawn')),
  -- why it was held back before it left: the user's hours ended, its account was stopped, or all mail was paused
  held_for text CHECK (held_for IN ('hours', 'stopped', 'paused')),
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
-- One follow-up a contact and day, whatever runs at once.
CREATE UNIQUE INDEX follow_up_mails_once ON follow_up_mails (user_id, address_key, day);
CREATE INDEX follow_up_mails_withdrawn ON follow_up_mails (user_id) WHERE state = 'withdrawn';

-- What the user decided for a contact: no follow-up before a day, or never (null).
CREATE TABLE follow_up_choices (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  until_day text,
  chosen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, contact_id),
  FOREIGN KEY (user_id, contact_id) REFERENCES contacts ON DELETE CASCADE
);

-- Holds back follow-ups that have not left; without a key, all of the user's. A worker that has claimed one finds its claim
-- lost. Those that are being sent at this moment are locked, and leave.
CREATE FUNCTION hold_follow_ups(owner bigint, key text) RETURNS void LANGUAGE sql AS $$
  WITH open AS (
    SELECT d.user_id, d.email_id FROM follow_up_mails f
    JOIN deliveries d ON d.user_id = f.user_id AND d.email_id = f.email_id
    WHERE f.user_id = owner AND (key IS NULL OR f.address_key = key)
      AND d.state IN ('queued', 'deferred', 'claimed') AND d.resends = 0
    FOR UPDATE OF d SKIP LOCKED
  ), held AS (
    UPDATE deliveries d SET state = 'held', queue = 'held', worker_id = NULL
    FROM open o WHERE d.user_id = o.user_id AND d.email_id = o.email_id RETURNING d.user_id, d.email_id
  )
  UPDATE follow_up_mails f SET state = 'withdrawn' FROM held h WHERE f.user_id = h.user_id AND f.email_id = h.email_id
$$;

-- After a changed setting follow-ups are planned again; switching off takes back what has not left, in the same transaction.
CREATE FUNCTION replan_follow_ups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.enabled AND NOT NEW.enabled OR OLD.enabled_in_practice AND NOT NEW.enabled_in_practice) THEN
    PERFORM hold_follow_ups(NEW.user_id, NULL);
  END IF;
  INSERT INTO follow_up_plans (user_id) VALUES (NEW.user_id) ON CONFLICT (user_id) DO UPDATE SET is_stale = true;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_replanned AFTER INSERT OR UPDATE OF enabled, enabled_in_practice, daily_hour ON follow_up_settings
  FOR EACH ROW EXECUTE FUNCTION replan_follow_ups();

CREATE FUNCTION replan_follow_ups_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE follow_up_plans SET is_stale = true WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_replanned AFTER UPDATE OF time_zone ON users FOR EACH ROW
  WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone) EXECUTE FUNCTION replan_follow_ups_of_user();

-- A reply, a bounce or a meeting stops the follow-up that waits.
CREATE FUNCTION stop_follow_ups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_follow_ups(NEW.user_id, NEW.address_key);
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_stopped AFTER UPDATE OF replied_at, bounced_at ON correspondents FOR EACH ROW
  WHEN (NEW.follow_ups < 3 AND (OLD.replied_at IS NULL AND NEW.replied_at IS NOT NULL OR OLD.bounced_at IS NULL AND NEW.bounced_at IS NOT NULL))
  EXECUTE FUNCTION stop_follow_ups();
CREATE TRIGGER follow_ups_stopped AFTER INSERT ON meeting_attendees FOR EACH ROW EXECUTE FUNCTION stop_follow_ups();

-- So does deleting the contact.
CREATE FUNCTION stop_follow_ups_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_follow_ups(f.user_id, f.address_key) FROM follow_up_mails f
  JOIN deleted d ON d.user_id = f.user_id AND d.email_key = f.address_key
  JOIN deliveries l ON l.user_id = f.user_id AND l.email_id = f.email_id AND l.state IN ('queued', 'deferred', 'claimed');
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_stopped AFTER DELETE ON contacts REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT EXECUTE FUNCTION stop_follow_ups_of_deleted();

-- Holds back the follow-ups of one account that have not left, as hold_follow_ups does; returns how many.
CREATE FUNCTION hold_follow_ups_of_account(owner bigint, account bigint, why text) RETURNS int LANGUAGE sql AS $$
  WITH open AS (
    SELECT d.user_id, d.email_id FROM follow_up_mails f
    JOIN deliveries d ON d.user_id = f.user_id AND d.email_id = f.email_id
    WHERE f.user_id = owner AND d.mailbox_id = account AND d.queue = 'due'
      AND d.state IN ('queued', 'deferred', 'claimed') AND d.resends = 0
    FOR UPDATE OF d SKIP LOCKED
  ), held AS (
    UPDATE deliveries d SET state = 'held', queue = 'held', worker_id = NULL
    FROM open o WHERE d.user_id = o.user_id AND d.email_id = o.email_id RETURNING d.user_id, d.email_id
  ), withdrawn AS (
    UPDATE follow_up_mails f SET state = 'withdrawn', held_for = why FROM held h
    WHERE f.user_id = h.user_id AND f.email_id = h.email_id RETURNING 1
  )
  SELECT count(*)::int FROM withdrawn
$$;

-- A stopped account sends no follow-ups.
CREATE FUNCTION stop_follow_ups_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM hold_follow_ups_of_account(NEW.user_id, NEW.mailbox_id, 'stopped');
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_stopped AFTER INSERT OR UPDATE OF stopped_at ON automatic_mail_stops FOR EACH ROW
  WHEN (NEW.stopped_at IS NOT NULL) EXECUTE FUNCTION stop_follow_ups_of_account();
`
