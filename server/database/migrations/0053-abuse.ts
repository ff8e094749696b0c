/** What administrators are told, and what is known of abuse. */
export const abuse = `
CREATE TABLE admin_notifications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint REFERENCES users ON DELETE CASCADE,  -- whom it is about
  topic text NOT NULL,                  -- what it is about: an unread one of the same topic is renewed
  title text NOT NULL,
  message text NOT NULL,
  priority smallint NOT NULL CHECK (priority BETWEEN 1 AND 5),
  created_at timestamptz NOT NULL,
  read_at timestamptz
);
CREATE UNIQUE INDEX admin_notifications_unread ON admin_notifications (topic) WHERE read_at IS NULL;
CREATE INDEX admin_notifications_newest ON admin_notifications (created_at, id);
CREATE INDEX admin_notifications_user ON admin_notifications (user_id);

-- What a user has sent through Howl, by the day (UTC): counted where mail is finalized, and by nothing that the user can undo.
-- Practice mail does not count: it reaches nobody.
CREATE TABLE sending_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  day timestamptz NOT NULL,
  sent int NOT NULL,
  strangers int NOT NULL,               -- addresses that nothing had passed with before
  role_addresses int NOT NULL,          -- those of them that are no person's, as info@
  seen int NOT NULL DEFAULT 0,          -- of those sent, how many the rules have looked at
  PRIMARY KEY (user_id, day)
) WITH (fillfactor = 50);
CREATE INDEX sending_days_new ON sending_days (user_id) WHERE sent > seen;
CREATE INDEX sending_days_old ON sending_days (day);

CREATE FUNCTION is_role_address(address text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT address ~ '^(abuse|accounts?|admin|billing|contact|enquir(y|ies)|hello|help|hr|info|inquir(y|ies)|jobs|kontakt|mail|marketing|no-?reply|office|orders?|post|postmaster|press|reception|sales|service|support|team|webmaster)[+@]'
$$;

-- Addresses that mail of Howl has failed at for good, or whose owner complained. The user cannot lift these.
CREATE TABLE failed_addresses (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('no_address', 'no_domain', 'complaint')),
  at timestamptz NOT NULL,              -- when the mail left, or was refused
  at_once boolean NOT NULL,             -- refused while sending: the mail does not count as sent
  is_seen boolean NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, address_key)
);
CREATE INDEX failed_addresses_newest ON failed_addresses (user_id, at);
CREATE INDEX failed_addresses_new ON failed_addresses (user_id) WHERE NOT is_seen;
CREATE INDEX failed_addresses_old ON failed_addresses (at);

-- Every suppression because of a bounce or a complaint is such a failure, unless it is about practice mail, about mail that
-- another program sent, or taken over from an earlier account. It counts for the time when the mail left, however late it is read.
CREATE FUNCTION note_failed_address() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mail record;
  sent_at timestamptz := NEW.created_at;
BEGIN
  SELECT e.direction INTO mail FROM emails e JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
  WHERE e.user_id = NEW.user_id AND e.id = NEW.email_id AND NOT m.is_practice
    AND NOT (SELECT is_system FROM users WHERE id = NEW.user_id);
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF mail.direction = 'in' THEN
    SELECT d.settled_at INTO sent_at FROM emails e JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
    WHERE e.user_id = NEW.user_id AND e.correspondent_key = NEW.address_key AND e.direction = 'out' AND d.state = 'sent'
    ORDER BY e.occurred_at DESC LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO failed_addresses AS f (user_id, address_key, kind, at, at_once)
  VALUES (NEW.user_id, NEW.address_key,
    CASE WHEN NEW.reason = 'complaint' THEN 'complaint'
      WHEN NEW.detail ~* '\\m5\\.1\\.(2|10)\\M|no such (domain|host)|unknown (domain|host)|nxdomain|unrouteable|(domain|host)( name)?( or domain name)?( \\S+)? (not found|does not exist|doesn''t exist)' THEN 'no_domain'
      ELSE 'no_address' END,
    sent_at, mail.direction = 'out')
  ON CONFLICT (user_id, address_key) DO UPDATE
    SET kind = excluded.kind, at = excluded.at, at_once = excluded.at_once, is_seen = false;
  RETURN NULL;
END $$;
CREATE TRIGGER suppressions_failed AFTER INSERT OR UPDATE OF reason ON suppressions
  FOR EACH ROW WHEN (NEW.reason IN ('bounced', 'complaint') AND NEW.email_id IS NOT NULL)
  EXECUTE FUNCTION note_failed_address();

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

-- What has been done about a user whom rules have found.
CREATE TABLE abuse_answers (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  warned_at timestamptz,
  told_at timestamptz,                  -- administrators were told of a high risk
  bans int NOT NULL DEFAULT 0,          -- by the rules
  is_due boolean NOT NULL DEFAULT false, -- something was found, and nothing is decided yet
  PRIMARY KEY (user_id)
);
CREATE INDEX abuse_answers_due ON abuse_answers (user_id) WHERE is_due;

-- Until when the rules have looked at the activity log.
CREATE TABLE abuse_rounds (
  id smallint PRIMARY KEY CHECK (id = 1),
  looked_until timestamptz NOT NULL
);
CREATE INDEX referrals_created ON referrals (created_at);
CREATE INDEX referral_invitations_created ON referral_invitations (created_at);
`
