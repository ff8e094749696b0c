/** Anybody can write a report: what counts against a user is proven, and an unsubscription that is not can be lifted. */
export const provenReports = `
-- 'asked': a mail from this address asks for it, and nothing proves who wrote that. The user may lift it.
ALTER TABLE suppressions DROP CONSTRAINT suppressions_reason_check;
ALTER TABLE suppressions ADD CONSTRAINT suppressions_reason_check
  CHECK (reason IN ('unsubscribed', 'bounced', 'complaint', 'manual', 'asked'));

-- Certain: our own mail server said so while sending, or a provider of feedback whose mail the receiving server has checked.
-- Of those before nothing is known but that.
ALTER TABLE failed_addresses ADD COLUMN is_certain boolean NOT NULL DEFAULT false;
UPDATE failed_addresses SET is_certain = true WHERE at_once;

-- Whose domain an address is in, near enough to count owners: one owner of a domain has any number of names below it.
CREATE FUNCTION owner_domain(address_key text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(address_key FROM '([^.@]+\\.[^.@]+)$')
$$;

CREATE FUNCTION failure_kind(reason text, detail text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN reason = 'complaint' THEN 'complaint'
    WHEN detail ~* '\\m5\\.1\\.(2|10)\\M|no such (domain|host)|unknown (domain|host)|nxdomain|unrouteable|(domain|host)( name)?( or domain name)?( \\S+)? (not found|does not exist|doesn''t exist)' THEN 'no_domain'
    ELSE 'no_address' END
$$;

-- Only what is refused while sending: what comes by mail is noted where mail is read, with the mail that it names.
CREATE OR REPLACE FUNCTION note_failed_address() RETURNS trigger LANGUAGE plpgsql AS $$
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
`
