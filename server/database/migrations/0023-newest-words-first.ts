/**
 * Words of the newest mails are written first, and the index takes them in by many thousand mails at once: it keeps what
 * came in a list that a search reads through, until the worker has it merged.
 */
export const newestWordsFirst = `
-- In kB. The worker merges long before; this is the end where it cannot.
ALTER INDEX email_search_words SET (gin_pending_list_limit = 131072);
-- A vacuum merges too, and a merge that comes meanwhile waits for it: it takes no rests.
ALTER TABLE email_search SET (autovacuum_vacuum_cost_delay = 0);
-- Words compress by a quarter, and that took more time than all the rest of writing them.
ALTER TABLE email_search ALTER COLUMN words SET STORAGE EXTERNAL;

-- Asks the index of words, always: the planner takes what is on its list for pages that would have to be fetched from
-- the disk one by one, and would rather unpack the words of all mails of everybody.
CREATE FUNCTION emails_with_words(sought tsquery)
RETURNS TABLE (user_id bigint, email_id bigint, occurred_at timestamptz)
LANGUAGE sql STABLE SET enable_seqscan TO off SET enable_indexscan TO off SET enable_indexonlyscan TO off
AS $$ SELECT user_id, email_id, occurred_at FROM email_search WHERE words @@ sought $$;

ALTER TABLE email_search_queue ADD COLUMN occurred_at timestamptz;
UPDATE email_search_queue q SET occurred_at = e.occurred_at FROM emails e WHERE e.user_id = q.user_id AND e.id = q.email_id;
DELETE FROM email_search_queue WHERE occurred_at IS NULL;
ALTER TABLE email_search_queue ALTER COLUMN occurred_at SET NOT NULL, DROP CONSTRAINT email_search_queue_pkey;
ALTER TABLE email_search_queue ADD PRIMARY KEY (user_id, occurred_at, email_id, place);

-- Without reading tables from end to end: the plan is kept, and may be from when there were hardly any mails.
CREATE OR REPLACE FUNCTION queue_email_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO off AS $$
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
`
