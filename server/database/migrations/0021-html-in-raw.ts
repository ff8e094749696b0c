/** The HTML of a mail whose bytes lie in its row is not kept beside them a second time. */
export const htmlInRaw = `
ALTER TABLE email_bodies ADD COLUMN html_in_raw boolean NOT NULL DEFAULT false;
`
