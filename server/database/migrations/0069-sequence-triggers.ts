/** What starts and stops members of sequences: each trigger only notes what happened. */
export const sequenceTriggers = `
-- Set while the engine gives tags: how many sequences have started each other before.
CREATE FUNCTION sequence_depth() RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('howl.sequence_depth', true), ''), '0')::int
$$;

-- Set while the engine gives tags: whether the sequence that gives them is in practice. Practice starts nothing real.
CREATE FUNCTION sequence_practice() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('howl.sequence_practice', true), '')::boolean
$$;

-- Set while something is undone: what comes back has been there before, and starts nothing.
CREATE FUNCTION sequences_off() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('howl.sequences_off', true), '') = '1'
$$;

-- In all of them the few owners are looked up first: most have no sequence, and then the rows are not looked at. A user
-- who is being removed is gone already when the rows go.
CREATE FUNCTION sequences_meet_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF sequences_off() THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, sequence_id, contact_id, depth)
  SELECT n.user_id, 'start', 'contact', s.sequence_id, n.id, sequence_depth()
  FROM (SELECT DISTINCT user_id FROM new_rows) o JOIN users u ON u.id = o.user_id
  JOIN sequence_starts s ON s.user_id = o.user_id AND s.kind = 'contact'
  JOIN sequences q ON q.user_id = s.user_id AND q.id = s.sequence_id
  -- A contact that comes back from a deletion is not new.
  JOIN new_rows n ON n.user_id = o.user_id AND n.created_at >= q.started_at ORDER BY n.id;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_start_sequences AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_contacts();

CREATE FUNCTION sequences_meet_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF sequences_off() THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, sequence_id, contact_id, depth)
  SELECT n.user_id, 'start', 'tag', s.sequence_id, n.contact_id, sequence_depth()
  FROM (SELECT DISTINCT user_id, tag_id FROM new_rows) o JOIN tags t ON t.user_id = o.user_id AND t.id = o.tag_id
  JOIN sequence_starts s ON s.user_id = o.user_id AND s.kind = 'tag' AND s.value = t.name_key
  JOIN sequences q ON q.user_id = s.user_id AND q.id = s.sequence_id
    AND (sequence_practice() IS NULL OR q.in_practice = sequence_practice())
  JOIN new_rows n ON n.user_id = o.user_id AND n.tag_id = o.tag_id ORDER BY n.contact_id;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_tags_start_sequences AFTER INSERT ON contact_tags
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_tags();

CREATE FUNCTION sequences_meet_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF sequences_off() THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, sequence_id, contact_id, depth)
  SELECT NEW.user_id, 'start', 'status', s.sequence_id, NEW.id, sequence_depth()
  FROM sequence_starts s WHERE s.user_id = NEW.user_id AND s.kind = 'status' AND s.value = NEW.status;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_status_starts_sequences AFTER UPDATE OF status ON contacts
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION sequences_meet_status();

-- When a mail came, as far as is known: the sender's clock may be wrong by up to a day. What is longer ago by its own account
-- is that old: an account is read for the first time with the mails of years.
CREATE FUNCTION mail_came_at(occurred timestamptz, stored timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN occurred < stored - interval '24 hours' THEN occurred ELSE stored END
$$;

-- Whether a conversation was begun by a sequence: what comes in it came after, whatever time it bears.
CREATE FUNCTION is_of_sequence(owner bigint, thread bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails o JOIN sequence_mails s ON s.user_id = o.user_id AND s.email_id = o.id
    WHERE o.user_id = owner AND o.thread_id = thread)
$$;

-- A mail that came in: it may stop the sequences of whoever it answers, and start others by its intent; those in practice if it
-- came there, and else the others.
CREATE FUNCTION sequences_meet_mails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, address_key, email_id, in_practice, at)
  SELECT n.user_id, 'stop', 'replied', n.correspondent_key, n.id, q.in_practice, mail_came_at(n.occurred_at, n.created_at)
  FROM (SELECT DISTINCT user_id FROM new_rows WHERE direction = 'in') o
  JOIN (SELECT user_id, in_practice, min(started_at) AS began FROM sequences
    WHERE state IN ('running', 'paused') GROUP BY 1, 2) q ON q.user_id = o.user_id
  JOIN new_rows n ON n.user_id = o.user_id
    AND (mail_came_at(n.occurred_at, n.created_at) >= q.began OR is_of_sequence(n.user_id, n.thread_id))
  LEFT JOIN mailboxes b ON b.user_id = n.user_id AND b.id = n.mailbox_id
  WHERE coalesce(b.is_practice, false) = q.in_practice AND n.direction = 'in' AND n.kind = 'personal' AND n.has_body AND n.folder <> 'spam'
    AND n.intent IS DISTINCT FROM 'out_of_office' ORDER BY n.id;
  INSERT INTO sequence_work (user_id, kind, what, sequence_id, address_key, email_id, at)
  SELECT n.user_id, 'start', 'intent', s.sequence_id, n.correspondent_key, n.id, mail_came_at(n.occurred_at, n.created_at)
  FROM (SELECT DISTINCT user_id FROM new_rows WHERE direction = 'in') o
  JOIN sequence_starts s ON s.user_id = o.user_id AND s.kind = 'intent'
  JOIN sequences q ON q.user_id = s.user_id AND q.id = s.sequence_id
  JOIN new_rows n ON n.user_id = o.user_id AND n.intent = s.value
    AND mail_came_at(n.occurred_at, n.created_at) >= q.started_at
  LEFT JOIN mailboxes b ON b.user_id = n.user_id AND b.id = n.mailbox_id
  WHERE coalesce(b.is_practice, false) = q.in_practice AND n.direction = 'in' AND n.kind = 'personal' AND n.folder <> 'spam' ORDER BY n.id;
  RETURN NULL;
END $$;
CREATE TRIGGER emails_meet_sequences AFTER INSERT ON emails
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_mails();

-- The same once the whole mail is there, or its intent is known.
CREATE FUNCTION sequences_meet_mail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  came timestamptz := mail_came_at(NEW.occurred_at, NEW.created_at);
  practice boolean := of_practice(NEW.user_id, NEW.id);
BEGIN
  IF NOT OLD.has_body AND NEW.intent IS DISTINCT FROM 'out_of_office' THEN
    INSERT INTO sequence_work (user_id, kind, what, address_key, email_id, in_practice, at)
    SELECT NEW.user_id, 'stop', 'replied', NEW.correspondent_key, NEW.id, practice, came
    WHERE EXISTS (SELECT FROM sequences q WHERE q.user_id = NEW.user_id AND q.state IN ('running', 'paused')
      AND q.in_practice = practice AND (q.started_at <= came OR is_of_sequence(NEW.user_id, NEW.thread_id)));
  END IF;
  IF OLD.intent IS DISTINCT FROM NEW.intent THEN
    INSERT INTO sequence_work (user_id, kind, what, sequence_id, address_key, email_id, at)
    SELECT NEW.user_id, 'start', 'intent', s.sequence_id, NEW.correspondent_key, NEW.id, came
    FROM sequence_starts s JOIN sequences q ON q.user_id = s.user_id AND q.id = s.sequence_id
    WHERE s.user_id = NEW.user_id AND s.kind = 'intent' AND s.value = NEW.intent
      AND q.in_practice = practice AND came >= q.started_at;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER emails_completed_meet_sequences AFTER UPDATE OF intent, has_body ON emails FOR EACH ROW
  WHEN (NEW.direction = 'in' AND NEW.kind = 'personal' AND NEW.has_body AND NEW.folder <> 'spam'
    AND (NOT OLD.has_body OR OLD.intent IS DISTINCT FROM NEW.intent))
  EXECUTE FUNCTION sequences_meet_mail();

CREATE FUNCTION sequences_meet_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, address_key, in_practice)
  SELECT n.user_id, 'stop', CASE WHEN n.reason IN ('bounced', 'unsubscribed') THEN n.reason ELSE 'suppressed' END,
    n.address_key, CASE WHEN n.email_id IS NOT NULL THEN of_practice(n.user_id, n.email_id) END
  FROM (SELECT DISTINCT user_id FROM new_rows) o
  JOIN new_rows n ON n.user_id = o.user_id
  WHERE EXISTS (SELECT FROM sequences q WHERE q.user_id = o.user_id AND q.state IN ('running', 'paused'));
  RETURN NULL;
END $$;
CREATE TRIGGER suppressions_stop_sequences AFTER INSERT ON suppressions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_suppressions();
-- A real one may take the place of one from practice.
CREATE TRIGGER suppressions_changed_stop_sequences AFTER UPDATE ON suppressions
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_suppressions();

CREATE FUNCTION sequences_meet_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, contact_id)
  SELECT n.user_id, 'stop', 'deleted', n.id
  FROM (SELECT DISTINCT user_id FROM old_rows) o JOIN users u ON u.id = o.user_id
  JOIN old_rows n ON n.user_id = o.user_id
  WHERE EXISTS (SELECT FROM sequence_members m WHERE m.user_id = o.user_id);
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_stop_sequences AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_deletions();

CREATE FUNCTION sequences_meet_meetings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, address_key, at)
  SELECT n.user_id, 'stop', 'meeting', n.address_key, m.end_time
  FROM new_rows n JOIN meetings m ON m.user_id = n.user_id AND m.id = n.meeting_id AND m.status = 'scheduled'
  WHERE EXISTS (SELECT FROM sequences q WHERE q.user_id = n.user_id AND q.state IN ('running', 'paused'));
  RETURN NULL;
END $$;
CREATE TRIGGER meeting_attendees_stop_sequences AFTER INSERT ON meeting_attendees
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_meetings();

CREATE FUNCTION sequences_meet_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sequence_work (user_id, kind, what, contact_id)
  SELECT NEW.user_id, 'stop', 'paid', NEW.contact_id
  WHERE EXISTS (SELECT FROM sequences q WHERE q.user_id = NEW.user_id AND q.state IN ('running', 'paused'));
  RETURN NULL;
END $$;
CREATE TRIGGER invoices_stop_sequences AFTER UPDATE ON invoices FOR EACH ROW
  WHEN (NEW.contact_id IS NOT NULL AND NEW.phase = 'paid' AND OLD.phase <> 'paid')
  EXECUTE FUNCTION sequences_meet_payment();

-- Whether whoever a follow-up or a mail of a sequence is for has answered or bounced since it was written: then it comes too
-- late to be sent a second time.
CREATE FUNCTION mail_is_overtaken(owner bigint, mail bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails e
      JOIN correspondents c ON c.user_id = e.user_id AND c.address_key = e.correspondent_key
      WHERE e.user_id = owner AND e.id = mail AND e.purpose = 'follow_up'
        AND (c.replied_at IS NOT NULL OR c.bounced_at IS NOT NULL))
    OR EXISTS (SELECT FROM sequence_mails s JOIN sequence_members m ON m.user_id = s.user_id AND m.id = s.member_id
      WHERE s.user_id = owner AND s.email_id = mail AND m.state = 'stopped' AND m.reason IN ('replied', 'bounced'))
$$;
`
