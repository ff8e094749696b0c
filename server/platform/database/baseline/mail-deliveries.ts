/** Outgoing mail, and what is known of the addresses that it goes to. */
export const deliveries = `
-- The way of an outgoing mail: queued, claimed, committed ("the final dot is next"), sent, deferred, failed, unsure;
-- held while its group is paused. The row is the truth; queues and events only wake workers.
-- A bulk mail's row changes four times within a second. No column that changes on the way is part of an index, and half of
-- each page is left for new versions of its rows: so a change stays in its page and touches no index. The column queue
-- tells the indexes where a mail waits, and is cleared for many sent mails at a time.
CREATE TABLE deliveries (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  -- no foreign key: the mail's own leads to the same mailbox
  mailbox_id bigint NOT NULL,
  -- Mails that are paused, resumed and cancelled together.
  group_id bigint,
  state text NOT NULL
    CHECK (state IN ('queued', 'held', 'claimed', 'committed', 'sent', 'deferred', 'failed', 'unsure')),
  recipients text[] NOT NULL,
  -- 0: somebody is waiting for it; 1: one of many
  priority int NOT NULL DEFAULT 0,
  templated boolean NOT NULL DEFAULT false,
  attempt int NOT NULL DEFAULT 0,
  resends int NOT NULL DEFAULT 0,
  -- unsure because one of our workers died, not because of the server
  after_crash boolean NOT NULL DEFAULT false,
  worker_id text,
  reason text,
  next_try_at timestamptz NOT NULL,
  settled_at timestamptz,
  -- False only for a mail that has left and is still to be put into the account's Sent folder.
  in_sent_folder boolean NOT NULL DEFAULT true,
  -- due (also while claimed and committed, and for a moment when sent), held, unsure, failed; null: it has left for good
  queue text DEFAULT 'due' CHECK (queue IN ('due', 'held', 'unsure', 'failed')),
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
) WITH (fillfactor = 48);
CREATE INDEX deliveries_by_queue ON deliveries (queue, user_id, mailbox_id, priority, next_try_at, email_id)
  WHERE queue IS NOT NULL;
CREATE INDEX deliveries_unsure ON deliveries (next_try_at) WHERE queue = 'unsure';
CREATE INDEX deliveries_by_group ON deliveries (user_id, group_id) WHERE group_id IS NOT NULL;
CREATE INDEX deliveries_to_append ON deliveries (user_id, mailbox_id, email_id) WHERE NOT in_sent_folder;
-- The mails of sequences that wait to leave: groups of sequences are below 0.
CREATE INDEX deliveries_of_sequences ON deliveries (user_id, mailbox_id) WHERE queue = 'due' AND -group_id > 0;

-- What the user and one address have sent each other: status, last contact and response rate are derived from it.
CREATE TABLE correspondents (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  last_received_at timestamptz,
  follow_ups int NOT NULL DEFAULT 0,
  replied_at timestamptz,
  interested_at timestamptz,
  bounced_at timestamptz,
  PRIMARY KEY (user_id, address_key)
);
-- Contacts who have not replied, by their first mail: follow-ups read those of their window, in this order.
CREATE INDEX correspondents_silent ON correspondents (user_id, first_sent_at, address_key)
  WHERE replied_at IS NULL AND bounced_at IS NULL AND first_sent_at IS NOT NULL;

-- Addresses that get no mail any more; one list for the whole user.
CREATE TABLE suppressions (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  -- 'asked': a mail from this address asks for it, and nothing proves who wrote that. The user may lift it.
  reason text NOT NULL CHECK (reason IN ('unsubscribed', 'bounced', 'complaint', 'manual', 'asked')),
  detail text NOT NULL DEFAULT '',
  email_id bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address_key)
);

-- Which workers have, or had, claimed mails of which mailbox: where to look when one of them has died.
CREATE TABLE delivery_workers (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  worker_id text NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, worker_id),
  CONSTRAINT delivery_hands_user_id_mailbox_id_fkey FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);

-- How many deliveries of a user have not left: the sum of the user's slots. Each connection counts in its own slot, so
-- that writers and senders do not wait for one another. Updates are not counted by a trigger, so that sending pays nothing:
-- the one statement that takes mails off the queue, many at a time, counts them itself (putAway in
-- delivery-settlements-store.ts).
CREATE TABLE unsent_counts (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  slot int NOT NULL,
  unsent bigint NOT NULL,
  PRIMARY KEY (user_id, slot)
) WITH (fillfactor = 50);

-- What the dashboard draws: how many mails left and how many replies came in, by the hour, and in each hour by its quarters,
-- as the days of all time zones begin with one. What happened stays counted when the mail is deleted.
CREATE TABLE mail_activity (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  at timestamptz NOT NULL,
  -- sending (left) and reading (read) count in rows of their own, so that neither waits for the other
  source text NOT NULL CHECK (source IN ('left', 'read')),
  sent int[] NOT NULL DEFAULT '{0,0,0,0}',
  replies int[] NOT NULL DEFAULT '{0,0,0,0}',
  PRIMARY KEY (user_id, at, source)
) WITH (fillfactor = 50);

-- What stays of the suppressions of removed accounts: signatures of the account's address and the suppressed one.
CREATE TABLE kept_suppressions (
  signature text PRIMARY KEY,
  reason text NOT NULL
);

-- Replies that a language model is still to be asked about.
CREATE TABLE unsure_replies (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  email_id bigint NOT NULL,
  queued_at timestamptz NOT NULL,
  next_try_at timestamptz NOT NULL,     -- while it is asked: when the worker counts as dead
  tries integer NOT NULL,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE CASCADE
);
CREATE INDEX unsure_replies_due ON unsure_replies (next_try_at);

-- Emails that were waiting when a backup was taken that was restored: the Howl that went on may have sent them.
CREATE TABLE held_mails (
  user_id bigint NOT NULL,
  email_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, email_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails (user_id, id) ON DELETE CASCADE
);

CREATE FUNCTION count_unsent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE unsent_counts c SET unsent = c.unsent - d.unsent
    FROM (SELECT user_id, count(*) AS unsent FROM old_rows WHERE queue IS NOT NULL GROUP BY 1) d
    WHERE c.user_id = d.user_id AND c.slot = (SELECT min(slot) FROM unsent_counts m WHERE m.user_id = d.user_id);
  ELSE
    INSERT INTO unsent_counts AS c (user_id, slot, unsent)
    SELECT user_id, pg_backend_pid() % 64, count(*) FROM new_rows WHERE queue IS NOT NULL GROUP BY 1 ORDER BY 1
    ON CONFLICT (user_id, slot) DO UPDATE SET unsent = c.unsent + excluded.unsent;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_counted_in AFTER INSERT ON deliveries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_unsent();
CREATE TRIGGER deliveries_counted_out AFTER DELETE ON deliveries
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_unsent();

-- How many of these times, all of one hour, are in each quarter of it; null counts as none.
CREATE FUNCTION quarters_of(times timestamptz[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[count(*) FILTER (WHERE q = 0), count(*) FILTER (WHERE q = 1), count(*) FILTER (WHERE q = 2),
    count(*) FILTER (WHERE q = 3)]::int[]
  FROM (SELECT floor(extract(epoch FROM t) / 900)::bigint % 4 AS q FROM unnest(times) AS t) each_one
$$;

CREATE FUNCTION plus_quarters(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]]
$$;

-- Never below 0: older counts are no longer there.
CREATE FUNCTION minus_quarters(a int[], b int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[greatest(a[1] - b[1], 0), greatest(a[2] - b[2], 0), greatest(a[3] - b[3], 0), greatest(a[4] - b[4], 0)]
$$;
`
