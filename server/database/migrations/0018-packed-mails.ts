/** Raw mails come packed: the database need not try. */
export const packedMails = `
ALTER TABLE email_bodies ALTER COLUMN raw SET STORAGE EXTERNAL;
`
