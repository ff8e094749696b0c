/** What makes lists, search and the collapsed inbox as quick with a million mails as with ten thousand. */
export const emailLists = `
-- How many mails each folder holds, kept by the triggers below in the transaction that changes them.
CREATE TABLE email_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  folder text NOT NULL,
  total bigint NOT NULL DEFAULT 0,
  unread bigint NOT NULL DEFAULT 0,
  starred bigint NOT NULL DEFAULT 0,
  with_files bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  -- of the inbox only: its rows when mails of one sender with one subject are one
  shown bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, folder)
);

CREATE TABLE email_mailbox_counts (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  folder text NOT NULL,
  total bigint NOT NULL DEFAULT 0,
  unread bigint NOT NULL DEFAULT 0,
  starred bigint NOT NULL DEFAULT 0,
  with_files bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, mailbox_id, folder),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

-- The inbox with mails of one sender and one subject as one row, kept by the triggers below. A transaction that changes a
-- group locks its row until it commits, so that nobody else changes the group while its newest mail is looked for.
CREATE TABLE inbox_groups (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  collapse_key text NOT NULL,
  newest_at timestamptz NOT NULL,
  newest_id bigint NOT NULL,
  mails bigint NOT NULL,
  unread bigint NOT NULL,
  PRIMARY KEY (user_id, collapse_key)
) WITH (fillfactor = 90);
CREATE INDEX inbox_groups_by_time ON inbox_groups (user_id, newest_at DESC, newest_id DESC);

-- The words of mails. Each begins with its owner's number ("17:hello"), so that a search touches the entries of one
-- user only, without an extension that the database may not have. The folder stays with the mail: changing an indexed
-- row would write all its words again. A vacuum merges the index's pending list too, and another merge waits for it
-- meanwhile: it runs without delays.
CREATE TABLE email_search (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  -- when the mail was, as known when its words were written
  occurred_at timestamptz NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
) WITH (toast_tuple_target = 256, autovacuum_vacuum_cost_delay = 0);
-- The index takes in the words of many thousand mails at once: new ones are on a list, which a search reads through, until
-- the worker merges it. The limit (kB) is for when it cannot.
CREATE INDEX email_search_words ON email_search USING gin (words) WITH (gin_pending_list_limit = 131072);
-- Compressing saves a quarter, and took more time than everything else about writing the words.
ALTER TABLE email_search ALTER COLUMN words SET STORAGE EXTERNAL;

-- Mails whose words are to be written, the newest first, and again when they change. A mail may be here twice: adding it
-- must not wait for the worker that is writing it.
CREATE TABLE email_search_queue (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, occurred_at, email_id, place)
);

CREATE FUNCTION count_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH changes AS MATERIALIZED (
      SELECT user_id, mailbox_id, folder, count(*) AS total, count(*) FILTER (WHERE NOT is_read) AS unread,
        count(*) FILTER (WHERE is_starred) AS starred, count(*) FILTER (WHERE attachment_names <> '{}') AS with_files,
        count(*) FILTER (WHERE direction = 'in') AS received
      FROM new_rows GROUP BY 1, 2, 3
    ), of_mailboxes AS (
      INSERT INTO email_mailbox_counts AS c (user_id, mailbox_id, folder, total, unread, starred, with_files, received)
      SELECT * FROM changes WHERE mailbox_id IS NOT NULL ORDER BY 1, 2, 3
      ON CONFLICT (user_id, mailbox_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread,
        starred = c.starred + excluded.starred, with_files = c.with_files + excluded.with_files, received = c.received + excluded.received
    )
    INSERT INTO email_counts AS c (user_id, folder, total, unread, starred, with_files, received)
    SELECT user_id, folder, sum(total), sum(unread), sum(starred), sum(with_files), sum(received)
    FROM changes GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (user_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread,
      starred = c.starred + excluded.starred, with_files = c.with_files + excluded.with_files, received = c.received + excluded.received;
  ELSIF TG_OP = 'DELETE' THEN
    -- Updates only: a user or an account that goes takes its counters along.
    WITH changes AS MATERIALIZED (
      SELECT user_id, mailbox_id, folder, count(*) AS total, count(*) FILTER (WHERE NOT is_read) AS unread,
        count(*) FILTER (WHERE is_starred) AS starred, count(*) FILTER (WHERE attachment_names <> '{}') AS with_files,
        count(*) FILTER (WHERE direction = 'in') AS received
      FROM old_rows GROUP BY 1, 2, 3
    ), of_mailboxes AS (
      UPDATE email_mailbox_counts c SET total = c.total - d.total, unread = c.unread - d.unread, starred = c.starred - d.starred,
        with_files = c.with_files - d.with_files, received = c.received - d.received
      FROM changes d WHERE c.user_id = d.user_id AND c.mailbox_id = d.mailbox_id AND c.folder = d.folder
    )
    UPDATE email_counts c SET total = c.total - d.total, unread = c.unread - d.unread, starred = c.starred - d.starred,
      with_files = c.with_files - d.with_files, received = c.received - d.received
    FROM (SELECT user_id, folder, sum(total) AS total, sum(unread) AS unread, sum(starred) AS starred,
            sum(with_files) AS with_files, sum(received) AS received FROM changes GROUP BY 1, 2) d
    WHERE c.user_id = d.user_id AND c.folder = d.folder;
  ELSE
    WITH changes AS MATERIALIZED (
      SELECT user_id, mailbox_id, folder, sum(sign) AS total, sum(sign) FILTER (WHERE NOT is_read) AS unread,
        sum(sign) FILTER (WHERE is_starred) AS starred, sum(sign) FILTER (WHERE attachment_names <> '{}') AS with_files,
        sum(sign) FILTER (WHERE direction = 'in') AS received
      FROM (
        SELECT user_id, mailbox_id, folder, is_read, is_starred, attachment_names, direction, 1 AS sign FROM new_rows
        UNION ALL
        SELECT user_id, mailbox_id, folder, is_read, is_starred, attachment_names, direction, -1 FROM old_rows
      ) rows GROUP BY 1, 2, 3
    ), filled AS MATERIALIZED (
      SELECT user_id, mailbox_id, folder, total, coalesce(unread, 0) AS unread, coalesce(starred, 0) AS starred,
        coalesce(with_files, 0) AS with_files, coalesce(received, 0) AS received FROM changes
    ), of_mailboxes AS (
      INSERT INTO email_mailbox_counts AS c (user_id, mailbox_id, folder, total, unread, starred, with_files, received)
      SELECT * FROM filled
      WHERE mailbox_id IS NOT NULL AND (total, unread, starred, with_files, received) <> (0, 0, 0, 0, 0) ORDER BY 1, 2, 3
      ON CONFLICT (user_id, mailbox_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread,
        starred = c.starred + excluded.starred, with_files = c.with_files + excluded.with_files, received = c.received + excluded.received
    )
    INSERT INTO email_counts AS c (user_id, folder, total, unread, starred, with_files, received)
    SELECT user_id, folder, sum(total), sum(unread), sum(starred), sum(with_files), sum(received) FROM filled GROUP BY 1, 2
    HAVING (sum(total), sum(unread), sum(starred), sum(with_files), sum(received)) <> (0, 0, 0, 0, 0) ORDER BY 1, 2
    ON CONFLICT (user_id, folder) DO UPDATE SET total = c.total + excluded.total, unread = c.unread + excluded.unread,
      starred = c.starred + excluded.starred, with_files = c.with_files + excluded.with_files, received = c.received + excluded.received;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER emails_counted_in AFTER INSERT ON emails
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();
CREATE TRIGGER emails_counted_on AFTER UPDATE ON emails
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();
CREATE TRIGGER emails_counted_out AFTER DELETE ON emails
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_emails();

CREATE FUNCTION group_inbox_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH came AS (
    INSERT INTO inbox_groups AS g (user_id, collapse_key, newest_at, newest_id, mails, unread)
    SELECT user_id, collapse_key, max(occurred_at), (array_agg(id ORDER BY occurred_at DESC, id DESC))[1], count(*),
      count(*) FILTER (WHERE NOT is_read)
    FROM new_rows WHERE folder = 'inbox' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (user_id, collapse_key) DO UPDATE SET mails = g.mails + excluded.mails, unread = g.unread + excluded.unread,
      newest_at = greatest(g.newest_at, excluded.newest_at),
      newest_id = CASE WHEN (excluded.newest_at, excluded.newest_id) > (g.newest_at, g.newest_id)
        THEN excluded.newest_id ELSE g.newest_id END
    RETURNING user_id, xmax = 0 AS is_new
  )
  UPDATE email_counts c SET shown = c.shown + n.groups
  FROM (SELECT user_id, count(*) AS groups FROM came WHERE is_new GROUP BY 1) n
  WHERE c.user_id = n.user_id AND c.folder = 'inbox';
  RETURN NULL;
END $$;
CREATE TRIGGER emails_grouped_in AFTER INSERT ON emails
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION group_inbox_in();

CREATE FUNCTION group_inbox_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM new_rows n JOIN old_rows o ON o.user_id = n.user_id AND o.id = n.id
    WHERE (n.folder = 'inbox' OR o.folder = 'inbox') AND
      (n.folder, n.collapse_key, n.occurred_at, n.is_read) IS DISTINCT FROM (o.folder, o.collapse_key, o.occurred_at, o.is_read)
  ) THEN RETURN NULL; END IF;

  WITH changes AS MATERIALIZED (
    SELECT user_id, collapse_key, id, occurred_at, sum(sign) AS mails, coalesce(sum(sign) FILTER (WHERE NOT is_read), 0) AS unread
    FROM (
      SELECT user_id, collapse_key, id, occurred_at, is_read, 1 AS sign FROM new_rows WHERE folder = 'inbox'
      UNION ALL
      SELECT user_id, collapse_key, id, occurred_at, is_read, -1 FROM old_rows WHERE folder = 'inbox'
    ) rows GROUP BY 1, 2, 3, 4
  ), by_group AS MATERIALIZED (
    SELECT user_id, collapse_key, sum(mails) AS mails, sum(unread) AS unread,
      max(occurred_at) FILTER (WHERE mails > 0) AS newest_at,
      (array_agg(id ORDER BY occurred_at DESC, id DESC) FILTER (WHERE mails > 0))[1] AS newest_id
    FROM changes WHERE mails <> 0 OR unread <> 0 GROUP BY 1, 2
  ), changed AS (
    UPDATE inbox_groups g SET mails = g.mails + d.mails, unread = g.unread + d.unread
    FROM by_group d WHERE d.newest_id IS NULL AND g.user_id = d.user_id AND g.collapse_key = d.collapse_key
  ), came AS (
    INSERT INTO inbox_groups AS g (user_id, collapse_key, newest_at, newest_id, mails, unread)
    SELECT user_id, collapse_key, newest_at, newest_id, mails, unread FROM by_group WHERE newest_id IS NOT NULL ORDER BY 1, 2
    ON CONFLICT (user_id, collapse_key) DO UPDATE SET mails = g.mails + excluded.mails, unread = g.unread + excluded.unread,
      newest_at = greatest(g.newest_at, excluded.newest_at),
      newest_id = CASE WHEN (excluded.newest_at, excluded.newest_id) > (g.newest_at, g.newest_id)
        THEN excluded.newest_id ELSE g.newest_id END
    RETURNING user_id, xmax = 0 AS is_new
  )
  UPDATE email_counts c SET shown = c.shown + n.groups
  FROM (SELECT user_id, count(*) AS groups FROM came WHERE is_new GROUP BY 1) n
  WHERE c.user_id = n.user_id AND c.folder = 'inbox';

  PERFORM tidy_inbox_groups(array_agg(user_id), array_agg(collapse_key), array_agg(id)) FROM (
    SELECT user_id, collapse_key, id, occurred_at FROM old_rows WHERE folder = 'inbox'
    EXCEPT SELECT user_id, collapse_key, id, occurred_at FROM new_rows WHERE folder = 'inbox'
  ) went;
  RETURN NULL;
END $$;
CREATE TRIGGER emails_grouped_on AFTER UPDATE ON emails
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION group_inbox_on();

CREATE FUNCTION group_inbox_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE inbox_groups g SET mails = g.mails - d.mails, unread = g.unread - d.unread
  FROM (SELECT user_id, collapse_key, count(*) AS mails, count(*) FILTER (WHERE NOT is_read) AS unread
        FROM old_rows WHERE folder = 'inbox' GROUP BY 1, 2) d
  WHERE g.user_id = d.user_id AND g.collapse_key = d.collapse_key;
  PERFORM tidy_inbox_groups(array_agg(user_id), array_agg(collapse_key), array_agg(id)) FROM old_rows WHERE folder = 'inbox';
  RETURN NULL;
END $$;
CREATE TRIGGER emails_grouped_out AFTER DELETE ON emails
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION group_inbox_out();

-- After mails have left groups, whose rows are locked by now: empty groups go, others may have another newest mail.
CREATE FUNCTION tidy_inbox_groups(users bigint[], keys text[], ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF users IS NULL THEN RETURN; END IF;
  WITH emptied AS (
    DELETE FROM inbox_groups g USING (SELECT DISTINCT * FROM unnest(users, keys) AS k(user_id, collapse_key)) k
    WHERE g.user_id = k.user_id AND g.collapse_key = k.collapse_key AND g.mails <= 0
    RETURNING g.user_id
  )
  UPDATE email_counts c SET shown = c.shown - n.groups
  FROM (SELECT user_id, count(*) AS groups FROM emptied GROUP BY 1) n
  WHERE c.user_id = n.user_id AND c.folder = 'inbox';

  UPDATE inbox_groups g SET newest_at = n.occurred_at, newest_id = n.id
  FROM unnest(users, keys, ids) AS w(user_id, collapse_key, id) CROSS JOIN LATERAL (
    SELECT e.occurred_at, e.id FROM emails e
    WHERE e.user_id = w.user_id AND e.collapse_key = w.collapse_key AND e.folder = 'inbox'
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1
  ) n
  WHERE g.user_id = w.user_id AND g.collapse_key = w.collapse_key AND g.newest_id = w.id;
END $$;

-- Sequential scans are off: the plan is kept, and may be from a time when there were hardly any mails.
CREATE FUNCTION queue_email_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO off AS $$
BEGIN
  IF TG_TABLE_NAME = 'email_bodies' THEN
    INSERT INTO email_search_queue (user_id, email_id, occurred_at)
    SELECT n.user_id, n.email_id, e.occurred_at FROM new_rows n CROSS JOIN LATERAL (
      SELECT occurred_at FROM emails WHERE user_id = n.user_id AND id = n.email_id OFFSET 0
    ) e;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO email_search_queue (user_id, email_id, occurred_at)
    SELECT user_id, id, occurred_at FROM new_rows WHERE NOT has_body;
  ELSE
    INSERT INTO email_search_queue (user_id, email_id, occurred_at)
    SELECT n.user_id, n.id, n.occurred_at FROM new_rows n JOIN old_rows o ON o.user_id = n.user_id AND o.id = n.id
    WHERE (n.subject, n.from_name, n.from_address, n.to_line, n.occurred_at)
      IS DISTINCT FROM (o.subject, o.from_name, o.from_address, o.to_line, o.occurred_at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER emails_worded_in AFTER INSERT ON emails
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_email_words();
CREATE TRIGGER emails_worded_on AFTER UPDATE ON emails
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_email_words();
CREATE TRIGGER email_bodies_worded_in AFTER INSERT ON email_bodies
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_email_words();
CREATE TRIGGER email_bodies_worded_on AFTER UPDATE ON email_bodies
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION queue_email_words();

-- Always uses the index of words: the planner counts its pending list as pages to be fetched from the disk one by one, and
-- would rather read the words of all mails of all users.
CREATE FUNCTION emails_with_words(sought tsquery)
RETURNS TABLE (user_id bigint, email_id bigint, occurred_at timestamptz)
LANGUAGE sql STABLE SET enable_seqscan TO off SET enable_indexscan TO off SET enable_indexonlyscan TO off
AS $$ SELECT user_id, email_id, occurred_at FROM email_search WHERE words @@ sought $$;
`
