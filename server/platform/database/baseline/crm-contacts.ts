/** Contacts, their tags, and what makes lists of a million contacts as quick as lists of ten. */
export const contacts = `
CREATE TABLE contacts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  company text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  position text NOT NULL DEFAULT '',
  notes text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'prospect' CHECK (status IN ('prospect', 'active', 'inactive')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, email_key)
);
CREATE INDEX contacts_by_name ON contacts (user_id, lower(name), id);
CREATE INDEX contacts_by_company ON contacts (user_id, (company = ''), lower(company), id);
CREATE INDEX contacts_by_status ON contacts (user_id, status, id) WHERE status <> 'prospect';

-- How many contacts each user has, kept by the triggers below in the transaction that changes them.
CREATE TABLE contact_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);

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

-- Without foreign keys, which look up every row separately: a command that writes here has locked the contacts and the tag,
-- and the triggers below remove what is left of either.
CREATE TABLE contact_tags (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  PRIMARY KEY (user_id, contact_id, tag_id)
);
CREATE INDEX contact_tags_by_tag ON contact_tags (user_id, tag_id, contact_id);

-- What a bulk action did, for as long as it can be undone.
CREATE TABLE contact_actions (
  user_id bigint NOT NULL CONSTRAINT contact_acts_user_id_fkey REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  action text NOT NULL CHECK (action IN ('tag', 'untag', 'delete')),
  tag_id bigint,
  -- the contacts that it changed; those of a deletion are in deleted_contacts
  contact_ids bigint[] NOT NULL DEFAULT '{}',
  done_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX contact_actions_by_age ON contact_actions (done_at);

CREATE TABLE deleted_contacts (
  user_id bigint NOT NULL,
  action_id bigint NOT NULL,
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
  PRIMARY KEY (user_id, action_id, id)
);

-- What the mails say about each contact, derived when mail comes or goes and not when a list is read: so a rare status is
-- found, and a list in any order begins, without reading every contact. Rows of removed contacts do no harm.
CREATE TABLE contact_statuses (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  status text NOT NULL,
  last_contact timestamptz,
  -- somebody who answers a mail to another address has replied, and was not mailed
  mailed boolean NOT NULL,
  PRIMARY KEY (user_id, contact_id)
) WITH (fillfactor = 80);
CREATE INDEX contact_statuses_by_status ON contact_statuses (user_id, status, contact_id);
CREATE INDEX contact_statuses_by_time ON contact_statuses (user_id, last_contact DESC NULLS LAST, contact_id DESC);

-- Each contact's words, each beginning with its owner's number as in email_search.
CREATE TABLE contact_search (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (user_id, contact_id)
);
CREATE INDEX contact_search_words ON contact_search USING gin (words) WITH (gin_pending_list_limit = 1024);

-- Contacts whose words are to be written. One may be here twice: nobody waits for the worker that is writing it.
CREATE TABLE contact_search_queue (
  user_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (user_id, contact_id, place)
);

-- How many contacts of a user were mailed, and how many of them replied. A sum of slots: each connection counts in its own,
-- so that sending, reading and importing do not wait for one another.
CREATE TABLE mailed_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  slot int NOT NULL,
  mailed bigint NOT NULL,
  replied bigint NOT NULL,
  PRIMARY KEY (user_id, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION count_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO contact_counts AS c (user_id, total)
    SELECT user_id, count(*) FROM new_rows GROUP BY 1 ORDER BY 1
    ON CONFLICT (user_id) DO UPDATE SET total = c.total + excluded.total;
  ELSE
    UPDATE contact_counts c SET total = c.total - d.total
    FROM (SELECT user_id, count(*) AS total FROM old_rows GROUP BY 1) d WHERE c.user_id = d.user_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_counted_in AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();
CREATE TRIGGER contacts_counted_out AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_contacts();

CREATE FUNCTION forget_action() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deleted_contacts d USING old_rows o WHERE d.user_id = o.user_id AND d.action_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER contact_actions_forgotten AFTER DELETE ON contact_actions
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_action();

CREATE FUNCTION forget_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tags t USING old_rows o WHERE t.user_id = o.user_id AND t.tag_id = o.id;
  RETURN NULL;
END $$;
CREATE TRIGGER tags_forgotten AFTER DELETE ON tags
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_tag();

CREATE FUNCTION contact_status(first_sent_at timestamptz, replied_at timestamptz, interested_at timestamptz, follow_ups int)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN interested_at IS NOT NULL THEN 'interested' WHEN replied_at IS NOT NULL THEN 'replied'
    WHEN follow_ups >= 3 THEN 'follow_up_3' WHEN follow_ups = 2 THEN 'follow_up_2' WHEN follow_ups = 1 THEN 'follow_up_1'
    WHEN first_sent_at IS NOT NULL THEN 'sent' ELSE 'new' END
$$;

-- OFFSET 0 in the functions below keeps the plan at one look-up per row: the connection would otherwise keep a plan made
-- for an import, and read a whole table for one contact.
CREATE FUNCTION derive_contact_statuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_statuses AS s (user_id, contact_id, status, last_contact, mailed)
  SELECT n.user_id, c.id, contact_status(n.first_sent_at, n.replied_at, n.interested_at, n.follow_ups),
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
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION derive_contact_statuses();
CREATE TRIGGER correspondents_standing_on AFTER UPDATE ON correspondents
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION derive_contact_statuses();

CREATE FUNCTION welcome_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_statuses AS s (user_id, contact_id, status, last_contact, mailed)
  SELECT n.user_id, n.id, contact_status(p.first_sent_at, p.replied_at, p.interested_at, p.follow_ups),
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
CREATE TRIGGER contacts_welcomed AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION welcome_contacts();
CREATE TRIGGER contacts_changed AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION welcome_contacts();

CREATE FUNCTION forget_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Planned anew each time: one contact or a hundred thousand.
  EXECUTE 'DELETE FROM contact_statuses s USING old_rows o WHERE s.user_id = o.user_id AND s.contact_id = o.id';
  EXECUTE 'DELETE FROM contact_search s USING old_rows o WHERE s.user_id = o.user_id AND s.contact_id = o.id';
  EXECUTE 'DELETE FROM contact_tags t USING old_rows o WHERE t.user_id = o.user_id AND t.contact_id = o.id';
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_forgotten AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_contacts();

CREATE FUNCTION count_mailed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    -- Never a new row: the user may be the one who goes.
    UPDATE mailed_counts c SET mailed = c.mailed - d.mailed, replied = c.replied - d.replied
    FROM (SELECT user_id, count(*) AS mailed, count(*) FILTER (WHERE status IN ('replied', 'interested')) AS replied
          FROM old_rows WHERE mailed GROUP BY 1) d
    WHERE c.user_id = d.user_id AND c.slot = (SELECT min(slot) FROM mailed_counts m WHERE m.user_id = d.user_id);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO mailed_counts AS c (user_id, slot, mailed, replied)
    SELECT user_id, pg_backend_pid() % 64, count(*), count(*) FILTER (WHERE status IN ('replied', 'interested'))
    FROM new_rows WHERE mailed GROUP BY 1 ORDER BY 1
    ON CONFLICT (user_id, slot) DO UPDATE SET mailed = c.mailed + excluded.mailed, replied = c.replied + excluded.replied;
  ELSE
    INSERT INTO mailed_counts AS c (user_id, slot, mailed, replied)
    SELECT user_id, pg_backend_pid() % 64, sum(mailed), sum(replied)
    FROM (
      SELECT user_id, 1 AS mailed, (status IN ('replied', 'interested'))::int AS replied FROM new_rows WHERE mailed
      UNION ALL
      SELECT user_id, -1, -(status IN ('replied', 'interested'))::int FROM old_rows WHERE mailed
    ) changes
    GROUP BY 1 HAVING sum(mailed) <> 0 OR sum(replied) <> 0 ORDER BY 1
    ON CONFLICT (user_id, slot) DO UPDATE SET mailed = c.mailed + excluded.mailed, replied = c.replied + excluded.replied;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER statuses_counted_in AFTER INSERT ON contact_statuses
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
CREATE TRIGGER statuses_counted_on AFTER UPDATE ON contact_statuses
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
CREATE TRIGGER statuses_counted_out AFTER DELETE ON contact_statuses
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_mailed();
`
