/** What is known of abuse. */
export const abuse = `
-- What a user has sent through Howl, by the day (UTC): counted when a mail has left, and by nothing that the user can undo.
-- Practice mail does not count: it reaches nobody.
CREATE TABLE sending_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  day timestamptz NOT NULL,
  sent int NOT NULL,
  strangers int NOT NULL,               -- addresses with no mail from or to them before
  role_addresses int NOT NULL,          -- those of them that are no person's, like info@
  seen int NOT NULL DEFAULT 0,          -- of those sent, how many the rules have looked at
  PRIMARY KEY (user_id, day)
) WITH (fillfactor = 50);
CREATE INDEX sending_days_new ON sending_days (user_id) WHERE sent > seen;
CREATE INDEX sending_days_old ON sending_days (day);

-- Addresses where mail has failed for good, or whose owner complained. The user cannot lift these.
CREATE TABLE failed_addresses (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('no_address', 'no_domain', 'complaint')),
  at timestamptz NOT NULL,              -- when the mail left, or was refused
  at_once boolean NOT NULL,             -- refused while sending: the mail does not count as sent
  is_seen boolean NOT NULL DEFAULT false,
  -- Our own mail server said so while sending, or a provider of feedback whose mail the receiving server has checked: anybody
  -- can write a report.
  is_certain boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, address_key)
);
CREATE INDEX failed_addresses_newest ON failed_addresses (user_id, at);
CREATE INDEX failed_addresses_new ON failed_addresses (user_id) WHERE NOT is_seen;
CREATE INDEX failed_addresses_old ON failed_addresses (at);

-- One row per user and rule; it grows when the rule finds the same again.
CREATE TABLE abuse_patterns (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  pattern_type text NOT NULL,
  severity smallint NOT NULL CHECK (severity BETWEEN 1 AND 5),
  occurrences int NOT NULL,
  first_detected timestamptz NOT NULL,
  last_detected timestamptz NOT NULL,
  score real NOT NULL,                  -- at last_detected; it decays from then on
  description text NOT NULL,            -- what was seen
  auto_ban_triggered boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX abuse_patterns_type ON abuse_patterns (user_id, pattern_type);
CREATE INDEX abuse_patterns_newest ON abuse_patterns (last_detected, id);

-- What was done about a user whom the rules have found.
CREATE TABLE abuse_answers (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  warned_at timestamptz,
  told_at timestamptz,                  -- administrators were notified of a high risk
  bans int NOT NULL DEFAULT 0,          -- by the rules
  is_due boolean NOT NULL DEFAULT false, -- something was found, and nothing is decided yet
  PRIMARY KEY (user_id)
);
CREATE INDEX abuse_answers_due ON abuse_answers (user_id) WHERE is_due;

-- How far the rules have read the activity log.
CREATE TABLE abuse_rounds (
  id smallint PRIMARY KEY CHECK (id = 1),
  looked_until timestamptz NOT NULL
);

CREATE FUNCTION is_role_address(address text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT address ~ '^(abuse|accounts?|admin|billing|contact|enquir(y|ies)|hello|help|hr|info|inquir(y|ies)|jobs|kontakt|mail|marketing|no-?reply|office|orders?|post|postmaster|press|reception|sales|service|support|team|webmaster)[+@]'
$$;

-- Only what is refused while sending: what comes by mail is noted by the code that reads mail, with the mail that it names.
CREATE FUNCTION note_failed_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO failed_addresses AS f (user_id, address_key, kind, at, at_once, is_certain)
  SELECT NEW.user_id, NEW.address_key, failure_kind(NEW.reason, NEW.detail), NEW.created_at, true, true
  FROM emails e JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
  WHERE e.user_id = NEW.user_id AND e.id = NEW.email_id AND e.direction = 'out' AND NOT m.is_practice
    AND NOT (SELECT is_system FROM users WHERE id = NEW.user_id)
  ON CONFLICT (user_id, address_key) DO UPDATE
    SET kind = excluded.kind, at = excluded.at, at_once = true, is_certain = true, is_seen = false;
  RETURN NULL;
END $$;
CREATE TRIGGER suppressions_failed AFTER INSERT OR UPDATE OF reason ON suppressions
  FOR EACH ROW WHEN (NEW.reason IN ('bounced', 'complaint') AND NEW.email_id IS NOT NULL)
  EXECUTE FUNCTION note_failed_address();

-- The domain that an address is in, near enough to count owners: the owner of a domain has any number of names below it.
CREATE FUNCTION owner_domain(address_key text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(address_key FROM '([^.@]+\\.[^.@]+)$')
$$;

CREATE FUNCTION failure_kind(reason text, detail text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN reason = 'complaint' THEN 'complaint'
    WHEN detail ~* '\\m5\\.1\\.(2|10)\\M|no such (domain|host)|unknown (domain|host)|nxdomain|unrouteable|(domain|host)( name)?( or domain name)?( \\S+)? (not found|does not exist|doesn''t exist)' THEN 'no_domain'
    ELSE 'no_address' END
$$;
`
