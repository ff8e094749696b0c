/** A practice mailbox that was left is cleared away, with all that happened in it. */
export const leftPractice = `
CREATE INDEX mailboxes_left_practice ON mailboxes (user_id) WHERE is_practice AND disconnected_at IS NOT NULL;

-- Whoever connected an account of their own while they practised has left practice.
UPDATE mailboxes SET disconnected_at = now() WHERE is_practice AND NOT is_primary AND disconnected_at IS NULL;

-- Never below none: what was counted longer ago than counts are kept is not there.
CREATE FUNCTION minus_quarters(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[greatest(a[1] - b[1], 0), greatest(a[2] - b[2], 0), greatest(a[3] - b[3], 0), greatest(a[4] - b[4], 0)]
$$;

-- Whether a mail is, or what is noted because of it was, part of practice.
CREATE FUNCTION of_practice(owner bigint, mail bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM emails e JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
    WHERE e.user_id = owner AND e.id = mail AND m.is_practice)
$$;

-- What mailboxes need to know of runs, which come after them.
CREATE VIEW mailboxes_in_run AS
SELECT user_id, mailbox_id FROM outreach_batches WHERE state IN ('running', 'paused');
`
