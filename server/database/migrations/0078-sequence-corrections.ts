/** Sequences follow a tag that is renamed, an undone tagging, and whoever unsubscribes by a mail to an earlier address. */
export const sequenceCorrections = `
-- Steps or beginnings of a sequence, with a tag of the old name replaced by the new one.
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

-- Set while a tagging is undone: when it was done. Whom it has put into sequences comes out again.
ALTER TABLE sequence_work DROP CONSTRAINT sequence_work_kind_check;
ALTER TABLE sequence_work ADD CONSTRAINT sequence_work_kind_check CHECK (kind IN ('start', 'stop', 'bring_back', 'take_back'));
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

-- Somebody says no by a mail of a sequence to an address that the contact no longer has: the no counts for the present one.
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
`
