/** Meetings and tasks, and what contacts show of them. */
export const meetingsAndTodos = `
CREATE TABLE meetings (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  location text NOT NULL DEFAULT '',
  type text NOT NULL DEFAULT 'in-person' CHECK (type IN ('in-person', 'video', 'phone')),
  status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'completed', 'cancelled')),
  notes text NOT NULL DEFAULT '',
  meeting_link text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  reminder_minutes int CHECK (reminder_minutes IN (5, 15, 60, 1440)),
  -- The zone in which the times were entered: reminders are written in it.
  time_zone text,
  -- When the reminder is due; null where none is wanted, or it has been sent.
  remind_at timestamptz,
  -- What calendar programs know the meeting by (RFC 5545 UID), and how often it has changed.
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  revision int NOT NULL DEFAULT 0,
  changed_at timestamptz,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX meetings_by_start ON meetings (user_id, start_time);
CREATE INDEX meetings_by_end ON meetings (user_id, end_time) WHERE status <> 'cancelled';
CREATE INDEX meetings_to_remind ON meetings (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE meeting_attendees (
  user_id bigint NOT NULL,
  meeting_id bigint NOT NULL,
  address_key text NOT NULL,
  address text NOT NULL,
  PRIMARY KEY (user_id, meeting_id, address_key),
  FOREIGN KEY (user_id, meeting_id) REFERENCES meetings ON DELETE CASCADE
);
CREATE INDEX meeting_attendees_by_address ON meeting_attendees (user_id, address_key);

-- What the contacts domain reads of mails and meetings.
CREATE VIEW contact_activity AS
SELECT c.user_id, c.id AS contact_id,
  p.first_sent_at, p.last_sent_at, p.last_received_at, p.replied_at, p.interested_at, coalesce(p.follow_ups, 0) AS follow_ups,
  greatest(p.last_sent_at, p.last_received_at) AS last_contact,
  s.reason AS suppressed,
  (SELECT max(m.end_time) FROM meeting_attendees a JOIN meetings m ON m.user_id = a.user_id AND m.id = a.meeting_id
   WHERE a.user_id = c.user_id AND a.address_key = c.email_key AND m.status <> 'cancelled') AS meeting_ends_at
FROM contacts c
LEFT JOIN correspondents p ON p.user_id = c.user_id AND p.address_key = c.email_key
LEFT JOIN suppressions s ON s.user_id = c.user_id AND s.address_key = c.email_key;

-- When meetings with a contact end, without cancelled ones.
CREATE VIEW contact_meetings AS
SELECT c.user_id, c.id AS contact_id, m.end_time
FROM meetings m
JOIN meeting_attendees a ON a.user_id = m.user_id AND a.meeting_id = m.id
JOIN contacts c ON c.user_id = a.user_id AND c.email_key = a.address_key
WHERE m.status <> 'cancelled';

-- Personal tasks, also about a contact or a mail. A due date is text, as a day has no zone.
CREATE TABLE todos (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  due_date text CHECK (due_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  priority text NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')),
  completed boolean NOT NULL DEFAULT false,
  contact_id bigint,
  email_id bigint,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, contact_id) REFERENCES contacts ON DELETE SET NULL (contact_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE SET NULL (email_id)
);
CREATE INDEX todos_by_contact ON todos (user_id, contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX todos_by_email ON todos (user_id, email_id) WHERE email_id IS NOT NULL;

-- Which tasks lose their contact when it is deleted.
CREATE VIEW contact_todos AS
SELECT user_id, contact_id, array_agg(id ORDER BY id) AS todo_ids FROM todos WHERE contact_id IS NOT NULL GROUP BY 1, 2;

-- What tasks show of their contact and mail.
CREATE VIEW todo_subjects AS
SELECT t.user_id, t.id AS todo_id, c.name AS contact_name, e.subject AS email_subject, e.folder AS email_folder
FROM todos t
LEFT JOIN contacts c ON c.user_id = t.user_id AND c.id = t.contact_id
LEFT JOIN emails e ON e.user_id = t.user_id AND e.id = t.email_id AND e.folder <> 'deleted'
WHERE t.contact_id IS NOT NULL OR t.email_id IS NOT NULL;

-- Gives contacts that come back from a deletion their tasks again.
CREATE FUNCTION tie_todos(owner bigint, act bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE todos t SET contact_id = d.id
  FROM deleted_contacts d CROSS JOIN LATERAL unnest(d.todo_ids) AS w(todo_id)
  WHERE d.user_id = owner AND d.action_id = act AND t.user_id = owner AND t.id = w.todo_id AND t.contact_id IS NULL
    AND EXISTS (SELECT FROM contacts c WHERE c.user_id = owner AND c.id = d.id)
$$;
`
