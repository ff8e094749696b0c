/** Contacts with an unpaid invoice: adding them to a sequence asks first. */
export const unpaidInvoices = `
-- What the sequences read of invoices: contacts with one that is issued and not paid. Nothing else has an amount due.
CREATE VIEW contact_unpaid_invoices AS
SELECT user_id, contact_id FROM invoices WHERE contact_id IS NOT NULL AND due > 0 AND issued_at IS NOT NULL;
`
