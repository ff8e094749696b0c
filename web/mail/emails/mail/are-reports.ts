import type { Email } from '#contract/mail/emails.ts'

/** True for a row of the inbox that stands for several delivery reports: it opens their list instead of a mail. */
export const areReports = ({ is_report, collapsed }: Email): boolean => is_report && collapsed > 1
