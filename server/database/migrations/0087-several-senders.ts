/** A mail may have several senders (RFC 5322 3.6.2). */
export const severalSenders = `
-- All of them, as from_name and from_address hold the first; empty for nearly all mails, which have one.
ALTER TABLE emails ADD COLUMN from_line text NOT NULL DEFAULT '';
`
