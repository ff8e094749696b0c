/** What starts and stops members of sequences: nearly all of these triggers only note what happened. */
export const sequenceTriggers = `
-- Set while the engine adds tags: how many sequences have started each other before.
CREATE FUNCTION sequence_depth() RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('howl.sequence_depth', true), ''), '0')::int
$$;

-- Set while the engine adds tags: whether the sequence that adds them is in practice. Practice starts nothing real.
CREATE FUNCTION sequence_practice() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('howl.sequence_practice', true), '')::boolean
$$;

-- Set while something is undone: what comes back was there before, and starts nothing.
CREATE FUNCTION sequences_off() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('howl.sequences_off', true), '') = '1'
$$;

-- These functions look up the few owners first: most have no sequence, and then the rows are not read. When the rows of a
-- user go who is being removed, the user is gone already.
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

-- When a mail came, as far as is known: the sender's clock may be wrong by up to a day. A mail that says it is older is
-- older: the first reading of an account brings the mails of years.
CREATE FUNCTION mail_came_at(occurred timestamptz, stored timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN occurred < stored - interval '24 hours' THEN occurred ELSE stored END
$$;

-- Whether a sequence began the conversation: its mails came later, whatever their date says.
CREATE FUNCTION is_of_sequence(owner bigint, thread bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails o JOIN sequence_mails s ON s.user_id = o.user_id AND s.email_id = o.id
    WHERE o.user_id = owner AND o.thread_id = thread)
$$;

-- A mail that came in may stop its sender's sequences, and start others by its intent: those in practice if it came there,
-- else the others.
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

CREATE FUNCTION sequences_meet_returns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only an undo inserts contacts that have been there before.
  IF NOT sequences_off() THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, contact_id)
  SELECT n.user_id, 'bring_back', 'deleted', n.id FROM new_rows n
  WHERE EXISTS (SELECT FROM sequence_members m
    WHERE m.user_id = n.user_id AND m.contact_id = n.id AND (m.state IN ('active', 'paused') OR m.reason = 'deleted'))
  ORDER BY n.id;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_come_back_to_sequences AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_returns();

-- The contact may be complete now.
CREATE FUNCTION sequences_meet_changed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sequence_members SET due_at = NEW.updated_at
  WHERE user_id = NEW.user_id AND contact_id = NEW.id AND is_open AND has_gap;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_change_for_sequences AFTER UPDATE OF name, email, company, position ON contacts
  FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.company, OLD.position) IS DISTINCT FROM (NEW.name, NEW.email, NEW.company, NEW.position))
  EXECUTE FUNCTION sequences_meet_changed_contact();

-- The template may have a default now, or be back after it was deleted.
CREATE FUNCTION sequences_meet_changed_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sequence_members SET due_at = NEW.updated_at WHERE user_id = NEW.user_id AND is_open AND has_gap;
  RETURN NULL;
END $$;
CREATE TRIGGER templates_change_for_sequences AFTER UPDATE OF subject, body, deleted_at ON templates
  FOR EACH ROW WHEN ((OLD.subject, OLD.body, OLD.deleted_at) IS DISTINCT FROM (NEW.subject, NEW.body, NEW.deleted_at))
  EXECUTE FUNCTION sequences_meet_changed_template();

-- Steps or starts of a sequence, with the old name of a tag replaced by the new one.
CREATE FUNCTION with_tag_renamed(parts jsonb, old_name text, old_key text, new_name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(CASE
    WHEN p ->> 'tag' = old_name OR lower(p ->> 'tag') = old_key THEN jsonb_set(p, '{tag}', to_jsonb(new_name))
    WHEN p #>> '{if,tag}' = old_name OR lower(p #>> '{if,tag}') = old_key THEN jsonb_set(p, '{if,tag}', to_jsonb(new_name))
    ELSE p END ORDER BY place), '[]')
  FROM jsonb_array_elements(parts) WITH ORDINALITY AS e(p, place)
$$;

CREATE FUNCTION sequences_meet_renamed_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Sequences before their parts, as everybody locks them.
  UPDATE sequences q SET starts = with_tag_renamed(q.starts, OLD.name, OLD.name_key, NEW.name)
  WHERE q.user_id = NEW.user_id AND q.starts <> with_tag_renamed(q.starts, OLD.name, OLD.name_key, NEW.name);
  UPDATE sequence_versions v SET steps = with_tag_renamed(v.steps, OLD.name, OLD.name_key, NEW.name)
  WHERE v.user_id = NEW.user_id AND v.steps <> with_tag_renamed(v.steps, OLD.name, OLD.name_key, NEW.name);
  IF OLD.name_key <> NEW.name_key THEN
    DELETE FROM sequence_starts s WHERE s.user_id = NEW.user_id AND s.kind = 'tag' AND s.value = OLD.name_key
      AND EXISTS (SELECT FROM sequence_starts o WHERE o.user_id = s.user_id AND o.kind = 'tag' AND o.value = NEW.name_key
        AND o.sequence_id = s.sequence_id);
    UPDATE sequence_starts SET value = NEW.name_key WHERE user_id = NEW.user_id AND kind = 'tag' AND value = OLD.name_key;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tags_renamed_in_sequences AFTER UPDATE OF name ON tags FOR EACH ROW
  WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION sequences_meet_renamed_tag();

-- The setting is there while a tagging is undone, and says when it was done: contacts that it enrolled come out again.
CREATE FUNCTION sequences_meet_undone_tags() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  done timestamptz := nullif(current_setting('howl.undone_since', true), '')::timestamptz;
BEGIN
  IF done IS NULL THEN RETURN NULL; END IF;
  INSERT INTO sequence_work (user_id, kind, what, sequence_id, contact_id, at)
  SELECT n.user_id, 'take_back', 'tag', s.sequence_id, n.contact_id, done
  FROM (SELECT DISTINCT user_id, tag_id FROM old_rows) o JOIN tags t ON t.user_id = o.user_id AND t.id = o.tag_id
  JOIN sequence_starts s ON s.user_id = o.user_id AND s.kind = 'tag' AND s.value = t.name_key
  JOIN old_rows n ON n.user_id = o.user_id AND n.tag_id = o.tag_id ORDER BY n.contact_id;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_tags_undone_leave_sequences AFTER DELETE ON contact_tags
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sequences_meet_undone_tags();

-- Somebody unsubscribes by a sequence's mail to an earlier address of the contact: it counts for the present one.
CREATE FUNCTION suppress_present_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.email_id IS NULL OR NEW.reason NOT IN ('unsubscribed', 'complaint') THEN RETURN NULL; END IF;
  INSERT INTO suppressions AS s (user_id, address_key, reason, detail, email_id, created_at)
  SELECT NEW.user_id, c.email_key, NEW.reason, left(NEW.detail || ' to ' || NEW.address_key, 500), NEW.email_id, NEW.created_at
  FROM sequence_mails w JOIN sequence_members m ON m.user_id = w.user_id AND m.id = w.member_id
  JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id
  WHERE w.user_id = NEW.user_id AND w.email_id = NEW.email_id AND c.email_key <> NEW.address_key
  ON CONFLICT (user_id, address_key) DO UPDATE
    SET reason = excluded.reason, detail = excluded.detail, email_id = excluded.email_id, created_at = excluded.created_at
    WHERE of_practice(s.user_id, s.email_id) AND NOT of_practice(excluded.user_id, excluded.email_id);
  RETURN NULL;
END $$;
CREATE TRIGGER suppressions_follow_the_contact AFTER INSERT OR UPDATE ON suppressions
  FOR EACH ROW EXECUTE FUNCTION suppress_present_address();

-- What members wait for has changed.
CREATE FUNCTION wake_sequences() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Of a user who is being removed nothing is left to note.
  INSERT INTO sequence_wakes (user_id)
  SELECT u.id FROM users u WHERE u.id = coalesce(NEW.user_id, OLD.user_id)
    AND EXISTS (SELECT FROM sequences q WHERE q.user_id = u.id AND q.state IN ('running', 'paused'))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER sending_rules_wake_sequences AFTER INSERT OR UPDATE OR DELETE ON sending_rules
  FOR EACH ROW EXECUTE FUNCTION wake_sequences();
CREATE TRIGGER automatic_mail_stops_wake_sequences AFTER UPDATE OF stopped_at ON automatic_mail_stops
  FOR EACH ROW WHEN (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL) EXECUTE FUNCTION wake_sequences();
CREATE TRIGGER mailboxes_warm_up_wake_sequences AFTER UPDATE OF warm_up_from ON mailboxes
  FOR EACH ROW WHEN (OLD.warm_up_from IS DISTINCT FROM NEW.warm_up_from) EXECUTE FUNCTION wake_sequences();
`
