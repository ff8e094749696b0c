/** What stands below the mails that a user writes. */
export const signature = `
ALTER TABLE users ADD COLUMN signature text NOT NULL DEFAULT '';
`
