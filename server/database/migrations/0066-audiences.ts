/** Runs that write to some contacts only, and who has opened an invoice. */
export const audiences = `
ALTER TABLE outreach_batches
  -- {"contact_ids": […]} or {"filter": {…}}; null: all contacts that were not mailed
  ADD COLUMN audience jsonb,
  ADD COLUMN audience_name text,
  ADD COLUMN write_again boolean NOT NULL DEFAULT false;

-- Invoices come after contacts: which of these have opened one that was shared with them.
CREATE VIEW contact_opened_invoices AS
SELECT user_id, contact_id FROM invoices
WHERE contact_id IS NOT NULL AND kind = 'invoice' AND viewed_at IS NOT NULL;
CREATE INDEX invoices_opened ON invoices (user_id, contact_id)
  WHERE contact_id IS NOT NULL AND kind = 'invoice' AND viewed_at IS NOT NULL;
`
