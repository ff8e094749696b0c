/**
 * A bulk mail's delivery changes four times within a second. None of the columns that change on the way is part of an
 * index any more, so that claiming, marking and settling rewrite one row in its own page and touch no index:
 * `shelf` tells the indexes where a mail waits, and is cleared for many sent mails at a time.
 */
export const leanDeliveries = `
-- due (also while claimed and marked, and for a moment when sent), held, unsure, failed; null: it has left for good.
ALTER TABLE deliveries ADD COLUMN shelf text DEFAULT 'due' CHECK (shelf IN ('due', 'held', 'unsure', 'failed'));
UPDATE deliveries SET shelf = CASE WHEN state = 'sent' THEN NULL WHEN state IN ('held', 'unsure', 'failed') THEN state ELSE 'due' END;

-- False only for a mail that has left and is still to be put into the account's Sent folder.
ALTER TABLE deliveries ALTER COLUMN in_sent_folder SET DEFAULT true;
UPDATE deliveries SET in_sent_folder = true WHERE state <> 'sent' AND NOT in_sent_folder;

-- The mail's own key leads to the same mailbox; a second check for every mail says nothing new.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_user_id_mailbox_id_fkey;

DROP INDEX deliveries_due, deliveries_in_hand, deliveries_unsure, deliveries_unsent, deliveries_by_group, deliveries_to_append;
CREATE INDEX deliveries_on_shelf ON deliveries (shelf, user_id, mailbox_id, priority, next_try_at, email_id)
  WHERE shelf IS NOT NULL;
CREATE INDEX deliveries_unsure ON deliveries (next_try_at) WHERE shelf = 'unsure';
CREATE INDEX deliveries_by_group ON deliveries (user_id, group_id) WHERE group_id IS NOT NULL;
CREATE INDEX deliveries_to_append ON deliveries (user_id, mailbox_id, email_id) WHERE NOT in_sent_folder;
-- Half of each page is left for the next versions of its rows.
ALTER TABLE deliveries SET (fillfactor = 48);

-- Which workers have, or had, mails of which mailbox in hand: where to look when one of them has died.
CREATE TABLE delivery_hands (
  user_id bigint NOT NULL,
  mailbox_id bigint NOT NULL,
  worker_id text NOT NULL,
  PRIMARY KEY (user_id, mailbox_id, worker_id),
  FOREIGN KEY (user_id, mailbox_id) REFERENCES mailboxes ON DELETE CASCADE
);
INSERT INTO delivery_hands
SELECT DISTINCT user_id, mailbox_id, worker_id FROM deliveries WHERE worker_id IS NOT NULL AND state IN ('claimed', 'committed');
`
