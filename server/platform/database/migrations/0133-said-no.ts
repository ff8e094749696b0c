/** A reply that says no stops automatic mail to its sender. */
export const saidNo = `
ALTER TABLE suppressions DROP CONSTRAINT suppressions_reason_check;
ALTER TABLE suppressions ADD CONSTRAINT suppressions_reason_check
  -- 'asked': a mail from this address asks for it, and nothing proves who wrote that. The user may lift it. 'declined': only
  -- automatic mail stops.
  CHECK (reason IN ('unsubscribed', 'bounced', 'complaint', 'manual', 'asked', 'declined'));

-- 'declined' stops no member here: a sequence may have a condition on that reply. It stops before the next mail.
CREATE OR REPLACE FUNCTION sequences_meet_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, address_key, in_practice)
  SELECT n.user_id, 'stop', CASE WHEN n.reason IN ('bounced', 'unsubscribed') THEN n.reason ELSE 'suppressed' END,
    n.address_key, CASE WHEN n.email_id IS NOT NULL THEN of_practice(n.user_id, n.email_id) END
  FROM (SELECT DISTINCT user_id FROM new_rows) o
  JOIN new_rows n ON n.user_id = o.user_id AND n.reason <> 'declined'
  WHERE EXISTS (SELECT FROM sequences q WHERE q.user_id = o.user_id AND q.state IN ('running', 'paused'));
  RETURN NULL;
END $$;

-- Somebody unsubscribes by a sequence's mail to an earlier address of the contact: it counts for the present one, and
-- replaces a reason that the user may lift.
CREATE OR REPLACE FUNCTION suppress_present_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.email_id IS NULL OR NEW.reason NOT IN ('unsubscribed', 'complaint') THEN RETURN NULL; END IF;
  INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
  SELECT NEW.user_id, c.email_key, NEW.reason, left(NEW.detail || ' to ' || NEW.address_key, 500), NEW.email_id, NEW.created_at
  FROM sequence_mails w JOIN sequence_members m ON m.user_id = w.user_id AND m.id = w.member_id
  JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id
  WHERE w.user_id = NEW.user_id AND w.email_id = NEW.email_id AND c.email_key <> NEW.address_key
  ON CONFLICT (user_id, address_key) DO UPDATE
    SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
    WHERE CASE of_practice(s.user_id, s.email_id)::int - of_practice(excluded.user_id, excluded.email_id)::int
      WHEN 1 THEN true WHEN -1 THEN false ELSE s.reason NOT IN ('unsubscribed', 'complaint') END;
  RETURN NULL;
END $$;

-- Senders whose newest clear reply is a no, and the only recipient of the mail that it answers. Practice mail does not count.
INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
SELECT DISTINCT ON (n.user_id, k.key) n.user_id, k.key, 'declined', 'Said no in a reply', n.id, now()
FROM (SELECT DISTINCT ON (e.user_id, e.correspondent_key) e.user_id, e.correspondent_key, e.id, e.intent, e.in_reply_to
  FROM emails e LEFT JOIN mailboxes b ON b.user_id = e.user_id AND b.id = e.mailbox_id
  WHERE e.direction = 'in' AND e.kind = 'personal' AND e.folder <> 'spam' AND b.is_practice IS NOT TRUE
    AND e.intent IN ('not_interested', 'interested', 'meeting_request')
  ORDER BY e.user_id, e.correspondent_key, e.occurred_at DESC) n
CROSS JOIN LATERAL (SELECT n.correspondent_key UNION SELECT o.correspondent_key FROM emails o
  JOIN deliveries d ON d.user_id = o.user_id AND d.email_id = o.id AND cardinality(d.recipients) = 1
  WHERE o.user_id = n.user_id AND o.message_id = n.in_reply_to AND o.direction = 'out') k(key)
WHERE n.intent = 'not_interested' AND k.key <> ''
ORDER BY n.user_id, k.key, n.id DESC
ON CONFLICT (user_id, address_key) DO UPDATE
  SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
  WHERE of_practice(s.user_id, s.email_id);
`
