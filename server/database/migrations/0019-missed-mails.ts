/** Mails that were in no folder of the server are remembered for a while: one that was on its way turns up again. */
export const missedMails = `
-- when it was found to be in no folder; null while that is being settled
ALTER TABLE stirred_mails ADD COLUMN gone_at timestamptz;
`
