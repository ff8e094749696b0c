/**
 * What the dashboard draws: how many mails left and how many replies came in, by the hour, and in each hour by its
 * quarters: that is what the days of all time zones begin with. Kept with the mails, a row a batch; what happened stays
 * counted when the mail is deleted.
 */
export const activity = `
CREATE TABLE mail_activity (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  at timestamptz NOT NULL,
  -- who counts: sending (left) or reading (read); so that neither waits for the other
  source text NOT NULL CHECK (source IN ('left', 'read')),
  sent int[] NOT NULL DEFAULT '{0,0,0,0}',
  replies int[] NOT NULL DEFAULT '{0,0,0,0}',
  PRIMARY KEY (user_id, at, source)
) WITH (fillfactor = 50);

-- Of instants of one hour, how many are in each quarter of it; null counts as none.
CREATE FUNCTION quarters_of(times timestamptz[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[count(*) FILTER (WHERE q = 0), count(*) FILTER (WHERE q = 1), count(*) FILTER (WHERE q = 2),
    count(*) FILTER (WHERE q = 3)]::int[]
  FROM (SELECT floor(extract(epoch FROM t) / 900)::bigint % 4 AS q FROM unnest(times) AS t) each_one
$$;
CREATE FUNCTION plus_quarters(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
$$;

-- What is there already: as sending and reading would have counted it.
INSERT INTO mail_activity (user_id, at, source, sent)
SELECT user_id, date_bin('1 hour', settled_at, 'epoch'), 'left', quarters_of(array_agg(settled_at))
FROM deliveries WHERE state = 'sent' AND shelf IS NULL AND settled_at IS NOT NULL GROUP BY 1, 2;
INSERT INTO mail_activity (user_id, at, source, sent, replies)
SELECT e.user_id, date_bin('1 hour', e.occurred_at, 'epoch'), 'read',
  quarters_of(array_agg(e.occurred_at) FILTER (WHERE e.direction = 'out')),
  quarters_of(array_agg(e.occurred_at) FILTER (WHERE e.direction = 'in'))
FROM emails e
WHERE (e.direction = 'in' AND e.kind = 'personal' AND e.intent <> 'out_of_office')
  OR (e.direction = 'out' AND e.folder = 'sent'
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id))
GROUP BY 1, 2;

-- What tasks need to know of contacts and mails, which come after them.
CREATE VIEW todo_subjects AS
SELECT t.user_id, t.id AS todo_id, c.name AS contact_name, e.subject AS email_subject, e.folder AS email_folder
FROM todos t
LEFT JOIN contacts c ON c.user_id = t.user_id AND c.id = t.contact_id
LEFT JOIN emails e ON e.user_id = t.user_id AND e.id = t.email_id AND e.folder <> 'deleted'
WHERE t.contact_id IS NOT NULL OR t.email_id IS NOT NULL;
`
