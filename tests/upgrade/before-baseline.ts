import type pg from 'pg'

/** The first migration. */
export const BASELINE = '0100-baseline'

/** The migrations that the baseline stands for, in order. */
const NAMES_BEFORE_BASELINE = [
  '0001-foundation',
  '0003-lean-deliveries',
  '0004-mail-actions',
  '0005-writing',
  '0006-mail-search',
  '0007-trusted-senders',
  '0010-scheduled-mails',
  '0011-todos',
  '0012-contact-tags',
  '0013-contact-imports',
  '0014-meeting-reminders',
  '0015-activity',
  '0016-mailed-counts',
  '0017-signature',
  '0018-packed-mails',
  '0019-missed-mails',
  '0020-left-practice',
  '0021-html-in-raw',
  '0022-guarded-log-in',
  '0023-newest-words-first',
  '0024-upload-reservations',
  '0025-read-failure-kind',
  '0026-names-of-the-field',
  '0027-system-mail',
  '0028-password-resets',
  '0031-leaving',
  '0032-account-settings',
  '0033-referrals',
  '0034-two-step',
  '0035-several-accounts',
  '0036-mailbox-grants',
  '0037-exchange-rates',
  '0038-invoices',
  '0039-invoice-mails',
  '0040-recurring-invoices',
  '0041-payment-reminders',
  '0042-quotes',
  '0044-invoice-words',
  '0045-assistant',
  '0046-own-models',
  '0047-ai-usage',
  '0048-writing',
  '0050-administrators',
  '0051-activities',
  '0052-bans',
  '0053-abuse',
  '0054-house-figures',
  '0055-system-health',
  '0056-restores',
  '0057-users-by-beginning',
  '0058-account-counts',
  '0060-templates',
  '0061-briefs',
  '0062-automatic-mail',
  '0063-waiting-runs',
  '0064-follow-ups',
  '0066-audiences',
  '0067-delivery-reports',
  '0068-sequences',
  '0069-sequence-triggers',
  '0072-runs-from-templates',
  '0073-outreach-corrections',
  '0074-sequence-mends',
  '0075-members-with-gaps',
  '0076-quick-enrolments',
  '0077-words-with-at',
  '0078-sequence-corrections',
  '0079-late-mails-of-runs',
  '0080-sequences-go-on',
  '0082-proven-reports',
  '0085-ai-days-of-zones',
  '0086-resets-from-known-places',
  '0087-several-senders',
  '0088-mail-troubles',
  '0090-mail-identity',
]

/** The newest of them: a database that has it has the baseline's schema. */
export const LAST_BEFORE_BASELINE = NAMES_BEFORE_BASELINE.at(-1) ?? ''

/**
 * Makes a database of today one of the version before the baseline, which had the same schema under these names.
 *
 * @param last the newest name that it gets
 */
export async function asBeforeBaseline(client: pg.Client, last = LAST_BEFORE_BASELINE): Promise<void> {
  const names = NAMES_BEFORE_BASELINE.slice(0, NAMES_BEFORE_BASELINE.indexOf(last) + 1)
  await client.query('DELETE FROM kysely_migration')
  await client.query(
    `INSERT INTO kysely_migration (name, timestamp) SELECT unnest($1::text[]), '2026-11-27T12:00:00.000Z'`,
    [names],
  )
}
