/** Only a run that is spread over days keeps to the ceilings of its account. */
export const spreadRuns = `
-- What the user chose: over days, or all at once; null where nobody was asked.
ALTER TABLE outreach_batches ADD COLUMN spread boolean;

-- Runs that were held to the ceilings of their account end as they began.
UPDATE outreach_batches b SET spread = true FROM mailboxes m
WHERE m.user_id = b.user_id AND m.id = b.mailbox_id AND m.warm_up_from IS NOT NULL
  AND b.settled_at IS NULL AND b.state <> 'cancelled';
`
