/**
 * Scheduled mails of all users are looked for twice a second; without an index of their own that reads through the
 * index of all mails.
 */
export const scheduledMails = `
CREATE INDEX emails_scheduled ON emails (schedule_at) WHERE folder = 'scheduled';
`
