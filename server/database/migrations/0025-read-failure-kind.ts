/** Why an account could not be read is stored beside the sentence about it. */
export const readFailureKind = `
-- a kind of IMAP failure, 'settings' or 'internal'; null while the account can be read, and for failures from before
ALTER TABLE mailboxes ADD COLUMN read_error_kind text;
`
