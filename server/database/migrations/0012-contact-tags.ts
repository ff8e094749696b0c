/**
 * Tags of contacts, what undoes a bulk act, and what lists need to be as quick with a million contacts as with ten:
 * indexes of every order, each contact's standing in a narrow table of its own, and trigrams for searches.
 */
export const contactTags = `
CREATE TABLE tags (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  -- the name in lower case: two tags of a user differ by more than letter case
  name_key text NOT NULL,
  colour text NOT NULL CHECK (colour IN ('gray', 'purple', 'blue', 'green', 'amber', 'red', 'moon')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, name_key)
);

-- Without foreign keys, which look up every row by itself: whoever writes here holds its contacts and its tag, and the
-- triggers below take away what is left of either.
CREATE TABLE contact_tags (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  PRIMARY KEY (user_id, contact_id, tag_id)
);
CREATE INDEX contact_tags_by_tag ON contact_tags (user_id, tag_id, contact_id);

-- What a bulk act did, for as long as it can be undone.
CREATE TABLE contact_acts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  act text NOT NULL CHECK (act IN ('tag', 'untag', 'delete')),
  tag_id bigint,
  -- the contacts that it changed; of a deletion they stand in deleted_contacts
  contact_ids bigint[] NOT NULL DEFAULT '{}',
  done_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX contact_acts_by_age ON contact_acts (done_at);

CREATE TABLE deleted_contacts (
  user_id bigint NOT NULL,
  act_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  company text NOT NULL,
  phone text NOT NULL,
  position text NOT NULL,
  notes text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  tag_ids bigint[] NOT NULL,
  todo_ids bigint[] NOT NULL,
  PRIMARY KEY (user_id, act_id, id)
);

CREATE FUNCTION forget_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deleted_contacts d USING old_rows o WHERE d.user_id = o.user_id AND d.act_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_acts_forgotten AFTER DELETE ON contact_acts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_act();

CREATE FUNCTION forget_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tags t USING old_rows o WHERE t.user_id = o.user_id AND t.tag_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER tags_forgotten AFTER DELETE ON tags
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_tag();

-- What the mails say of each contact, worked out when they are told of and not when a list is read: rare statuses are
-- found, and all orders begun, without looking at every contact. Rows of contacts that are no more do no harm.
CREATE TABLE contact_standings (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  status text NOT NULL,
  last_contact timestamptz,
  -- who answers a mail that went to somebody else has replied, and was not mailed
  mailed boolean NOT NULL,
  PRIMARY KEY (user_id, contact_id)
) WITH (fillfactor = 80);

-- Each contact's words, every one beginning with its owner's number as those of mails do.
CREATE TABLE contact_search (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (user_id, contact_id)
);

-- Contacts whose words are to be written. One may stand here twice: nobody waits for the worker that is at it.
CREATE TABLE contact_search_queue (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (user_id, contact_id, place)
);

CREATE FUNCTION contact_standing(first_sent_at timestamptz, replied_at timestamptz, interested_at timestamptz, follow_ups int)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN interested_at IS NOT NULL THEN 'interested' WHEN replied_at IS NOT NULL THEN 'replied'
    WHEN follow_ups >= 3 THEN 'follow_up_3' WHEN follow_ups = 2 THEN 'follow_up_2' WHEN follow_ups = 1 THEN 'follow_up_1'
    WHEN first_sent_at IS NOT NULL THEN 'sent' ELSE 'new' END
$$;

-- What is there already, before the indexes.
INSERT INTO contact_standings (user_id, contact_id, status, last_contact, mailed)
SELECT c.user_id, c.id, contact_standing(p.first_sent_at, p.replied_at, p.interested_at, p.follow_ups),
  greatest(p.last_sent_at, p.last_received_at), p.first_sent_at IS NOT NULL
FROM contacts c LEFT JOIN correspondents p ON p.user_id = c.user_id AND p.address_key = c.email_key;
INSERT INTO contact_search_queue (user_id, contact_id) SELECT user_id, id FROM contacts;

CREATE INDEX contact_standings_by_status ON contact_standings (user_id, status, contact_id);
CREATE INDEX contact_standings_by_time ON contact_standings (user_id, last_contact DESC NULLS LAST, contact_id DESC);
CREATE INDEX contact_search_words ON contact_search USING gin (words) WITH (gin_pending_list_limit = 1024);
CREATE INDEX contacts_by_name ON contacts (user_id, lower(name), id);
CREATE INDEX contacts_by_company ON contacts (user_id, (company = ''), lower(company), id);
CREATE INDEX contacts_by_status ON contacts (user_id, status, id) WHERE status <> 'prospect';
CREATE INDEX meetings_by_end ON meetings (user_id, end_time) WHERE status <> 'cancelled';

-- OFFSET 0 in the functions below keeps the plan at one look-up a row: a plan made for an import would otherwise stay
-- with its connection and read a whole table for one contact.
CREATE FUNCTION stand_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_standings AS s (user_id, contact_id, status, last_contact, mailed)
  SELECT n.user_id, c.id, contact_standing(n.first_sent_at, n.replied_at, n.interested_at, n.follow_ups),
    greatest(n.last_sent_at, n.last_received_at), n.first_sent_at IS NOT NULL
  FROM new_rows n CROSS JOIN LATERAL (
    SELECT id FROM contacts WHERE user_id = n.user_id AND email_key = n.address_key OFFSET 0
  ) c
  ORDER BY 1, 2
  ON CONFLICT (user_id, contact_id) DO UPDATE
  SET status = excluded.status, last_contact = excluded.last_contact, mailed = excluded.mailed
  WHERE (s.status, s.last_contact, s.mailed) IS DISTINCT FROM (excluded.status, excluded.last_contact, excluded.mailed);
  RETURN NULL;
END $$;

CREATE TRIGGER correspondents_standing_in AFTER INSERT ON correspondents
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stand_contacts();
CREATE TRIGGER correspondents_standing_on AFTER UPDATE ON correspondents
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stand_contacts();

CREATE FUNCTION welcome_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_standings AS s (user_id, contact_id, status, last_contact, mailed)
  SELECT n.user_id, n.id, contact_standing(p.first_sent_at, p.replied_at, p.interested_at, p.follow_ups),
    greatest(p.last_sent_at, p.last_received_at), p.first_sent_at IS NOT NULL
  FROM new_rows n LEFT JOIN LATERAL (
    SELECT * FROM correspondents WHERE user_id = n.user_id AND address_key = n.email_key OFFSET 0
  ) p ON true
  ON CONFLICT (user_id, contact_id) DO UPDATE
  SET status = excluded.status, last_contact = excluded.last_contact, mailed = excluded.mailed
  WHERE (s.status, s.last_contact, s.mailed) IS DISTINCT FROM (excluded.status, excluded.last_contact, excluded.mailed);
  INSERT INTO contact_search_queue (user_id, contact_id) SELECT user_id, id FROM new_rows;
  RETURN NULL;
END $$;

CREATE FUNCTION forget_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Planned anew each time: one contact or a hundred thousand.
  EXECUTE 'DELETE FROM contact_standings s USING old_rows o WHERE s.user_id = o.user_id AND s.contact_id = o.id';
  EXECUTE 'DELETE FROM contact_search s USING old_rows o WHERE s.user_id = o.user_id AND s.contact_id = o.id';
  EXECUTE 'DELETE FROM contact_tags t USING old_rows o WHERE t.user_id = o.user_id AND t.contact_id = o.id';
  RETURN NULL;
END $$;

CREATE TRIGGER contacts_welcomed AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION welcome_contacts();
CREATE TRIGGER contacts_changed AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION welcome_contacts();
CREATE TRIGGER contacts_forgotten AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_contacts();

-- Tasks come after contacts: which ones a deletion takes away from a contact, and how an undo gives them back.
CREATE VIEW contact_todos AS
SELECT user_id, contact_id, array_agg(id ORDER BY id) AS todo_ids FROM todos WHERE contact_id IS NOT NULL GROUP BY 1, 2;

CREATE FUNCTION tie_todos(owner bigint, act bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE todos t SET contact_id = d.id
  FROM deleted_contacts d CROSS JOIN LATERAL unnest(d.todo_ids) AS w(todo_id)
  WHERE d.user_id = owner AND d.act_id = act AND t.user_id = owner AND t.id = w.todo_id AND t.contact_id IS NULL
    AND EXISTS (SELECT FROM contacts c WHERE c.user_id = owner AND c.id = d.id)
$$;

-- When meetings with a contact end, those that were called off left out.
CREATE VIEW contact_meetings AS
SELECT c.user_id, c.id AS contact_id, m.end_time
FROM meetings m
JOIN meeting_attendees a ON a.user_id = m.user_id AND a.meeting_id = m.id
JOIN contacts c ON c.user_id = a.user_id AND c.email_key = a.address_key
WHERE m.status <> 'cancelled';
`
