import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { foundation } from './migrations/0001-foundation.ts'
import { leanDeliveries } from './migrations/0003-lean-deliveries.ts'
import { mailActions } from './migrations/0004-mail-actions.ts'
import { writing } from './migrations/0005-writing.ts'
import { mailSearch } from './migrations/0006-mail-search.ts'
import { trustedSenders } from './migrations/0007-trusted-senders.ts'
import { scheduledMails } from './migrations/0010-scheduled-mails.ts'
import { todos } from './migrations/0011-todos.ts'
import { contactTags } from './migrations/0012-contact-tags.ts'
import { contactImports } from './migrations/0013-contact-imports.ts'
import { meetingReminders } from './migrations/0014-meeting-reminders.ts'
import { activity } from './migrations/0015-activity.ts'
import { mailedCounts } from './migrations/0016-mailed-counts.ts'
import { signature } from './migrations/0017-signature.ts'
import { packedMails } from './migrations/0018-packed-mails.ts'
import { missedMails } from './migrations/0019-missed-mails.ts'
import { leftPractice } from './migrations/0020-left-practice.ts'
import { htmlInRaw } from './migrations/0021-html-in-raw.ts'
import { guardedLogIn } from './migrations/0022-guarded-log-in.ts'
import { newestWordsFirst } from './migrations/0023-newest-words-first.ts'
import { uploadReservations } from './migrations/0024-upload-reservations.ts'
import { readFailureKind } from './migrations/0025-read-failure-kind.ts'
import { namesOfTheField } from './migrations/0026-names-of-the-field.ts'
import { systemMail } from './migrations/0027-system-mail.ts'
import { passwordResets } from './migrations/0028-password-resets.ts'
import { leaving } from './migrations/0031-leaving.ts'
import { accountSettings } from './migrations/0032-account-settings.ts'
import { referrals } from './migrations/0033-referrals.ts'
import { twoStep } from './migrations/0034-two-step.ts'
import { severalAccounts } from './migrations/0035-several-accounts.ts'
import { mailboxGrants } from './migrations/0036-mailbox-grants.ts'
import { exchangeRates } from './migrations/0037-exchange-rates.ts'
import { invoices } from './migrations/0038-invoices.ts'
import { invoiceMails } from './migrations/0039-invoice-mails.ts'
import { recurringInvoices } from './migrations/0040-recurring-invoices.ts'
import { paymentReminders } from './migrations/0041-payment-reminders.ts'
import { quotes } from './migrations/0042-quotes.ts'
import { invoiceWords } from './migrations/0044-invoice-words.ts'
import { assistant } from './migrations/0045-assistant.ts'
import { ownModels } from './migrations/0046-own-models.ts'
import { aiUsage } from './migrations/0047-ai-usage.ts'
import { modelReading } from './migrations/0048-writing.ts'
import { administrators } from './migrations/0050-administrators.ts'
import { activities } from './migrations/0051-activities.ts'
import { bans } from './migrations/0052-bans.ts'
import { abuse } from './migrations/0053-abuse.ts'
import { houseFigures } from './migrations/0054-house-figures.ts'
import { systemHealth } from './migrations/0055-system-health.ts'
import { restores } from './migrations/0056-restores.ts'
import { usersByBeginning } from './migrations/0057-users-by-beginning.ts'
import { accountCounts } from './migrations/0058-account-counts.ts'
import { templates } from './migrations/0060-templates.ts'
import { briefs } from './migrations/0061-briefs.ts'
import { automaticMail } from './migrations/0062-automatic-mail.ts'
import { waitingRuns } from './migrations/0063-waiting-runs.ts'
import { followUps } from './migrations/0064-follow-ups.ts'
import { audiences } from './migrations/0066-audiences.ts'
import { deliveryReports } from './migrations/0067-delivery-reports.ts'
import { sequences } from './migrations/0068-sequences.ts'
import { sequenceTriggers } from './migrations/0069-sequence-triggers.ts'
import { runsFromTemplates } from './migrations/0072-runs-from-templates.ts'
import { outreachCorrections } from './migrations/0073-outreach-corrections.ts'
import { sequenceMends } from './migrations/0074-sequence-mends.ts'
import { membersWithGaps } from './migrations/0075-members-with-gaps.ts'
import { quickEnrolments } from './migrations/0076-quick-enrolments.ts'
import { wordsWithAt } from './migrations/0077-words-with-at.ts'
import { sequenceCorrections } from './migrations/0078-sequence-corrections.ts'
import { lateMailsOfRuns } from './migrations/0079-late-mails-of-runs.ts'
import { sequencesGoOn } from './migrations/0080-sequences-go-on.ts'
import { provenReports } from './migrations/0082-proven-reports.ts'
import { aiDaysOfZones } from './migrations/0085-ai-days-of-zones.ts'
import { resetsFromKnownPlaces } from './migrations/0086-resets-from-known-places.ts'
import { severalSenders } from './migrations/0087-several-senders.ts'
import { mailTroubles } from './migrations/0088-mail-troubles.ts'
import { mailIdentity } from './migrations/0090-mail-identity.ts'
import { draftVersions } from './migrations/0091-draft-versions.ts'
import { proofOfAccess } from './migrations/0093-proof-of-access.ts'
import type { Database } from './handles.ts'

/** Every migration by name, in order; a released one is never edited. */
const MIGRATIONS: Record<string, string> = {
  '0001-foundation': foundation,
  '0003-lean-deliveries': leanDeliveries,
  '0004-mail-actions': mailActions,
  '0005-writing': writing,
  '0006-mail-search': mailSearch,
  '0007-trusted-senders': trustedSenders,
  '0010-scheduled-mails': scheduledMails,
  '0011-todos': todos,
  '0012-contact-tags': contactTags,
  '0013-contact-imports': contactImports,
  '0014-meeting-reminders': meetingReminders,
  '0015-activity': activity,
  '0016-mailed-counts': mailedCounts,
  '0017-signature': signature,
  '0018-packed-mails': packedMails,
  '0019-missed-mails': missedMails,
  '0020-left-practice': leftPractice,
  '0021-html-in-raw': htmlInRaw,
  '0022-guarded-log-in': guardedLogIn,
  '0023-newest-words-first': newestWordsFirst,
  '0024-upload-reservations': uploadReservations,
  '0025-read-failure-kind': readFailureKind,
  '0026-names-of-the-field': namesOfTheField,
  '0027-system-mail': systemMail,
  '0028-password-resets': passwordResets,
  '0031-leaving': leaving,
  '0032-account-settings': accountSettings,
  '0033-referrals': referrals,
  '0034-two-step': twoStep,
  '0035-several-accounts': severalAccounts,
  '0036-mailbox-grants': mailboxGrants,
  '0037-exchange-rates': exchangeRates,
  '0038-invoices': invoices,
  '0039-invoice-mails': invoiceMails,
  '0040-recurring-invoices': recurringInvoices,
  '0041-payment-reminders': paymentReminders,
  '0042-quotes': quotes,
  '0044-invoice-words': invoiceWords,
  '0045-assistant': assistant,
  '0046-own-models': ownModels,
  '0047-ai-usage': aiUsage,
  '0048-writing': modelReading,
  '0050-administrators': administrators,
  '0051-activities': activities,
  '0052-bans': bans,
  '0053-abuse': abuse,
  '0054-house-figures': houseFigures,
  '0055-system-health': systemHealth,
  '0056-restores': restores,
  '0057-users-by-beginning': usersByBeginning,
  '0058-account-counts': accountCounts,
  '0060-templates': templates,
  '0061-briefs': briefs,
  '0062-automatic-mail': automaticMail,
  '0063-waiting-runs': waitingRuns,
  '0064-follow-ups': followUps,
  '0066-audiences': audiences,
  '0067-delivery-reports': deliveryReports,
  '0068-sequences': sequences,
  '0069-sequence-triggers': sequenceTriggers,
  '0072-runs-from-templates': runsFromTemplates,
  '0073-outreach-corrections': outreachCorrections,
  '0074-sequence-mends': sequenceMends,
  '0075-members-with-gaps': membersWithGaps,
  '0076-quick-enrolments': quickEnrolments,
  '0077-words-with-at': wordsWithAt,
  '0078-sequence-corrections': sequenceCorrections,
  '0079-late-mails-of-runs': lateMailsOfRuns,
  '0080-sequences-go-on': sequencesGoOn,
  '0082-proven-reports': provenReports,
  '0085-ai-days-of-zones': aiDaysOfZones,
  '0086-resets-from-known-places': resetsFromKnownPlaces,
  '0087-several-senders': severalSenders,
  '0088-mail-troubles': mailTroubles,
  '0090-mail-identity': mailIdentity,
  '0091-draft-versions': draftVersions,
  '0093-proof-of-access': proofOfAccess,
}

/** The names of all migrations, in order. */
export const migrationNames = (): string[] => Object.keys(MIGRATIONS)

/**
 * Brings the schema up to date. Runs under Kysely's advisory lock, so that processes starting together do it once.
 *
 * @param last the last migration to run; all of them without it. Tests of upgrades stop earlier.
 * @throws the first migration's error; that migration is rolled back
 */
export async function migrate(db: Database, last?: string): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, text]): [string, Migration] => [
      name,
      { up: async (tx) => void (await sql.raw(text).execute(tx)) },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) throw error
}

/** The names of migrations that this version has and the database has not, without changing anything; `newer`: those that only the database knows. */
export async function compareMigrations(db: Database): Promise<{ pending: string[]; newer: string[] }> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return {
    pending: Object.keys(MIGRATIONS).filter((name) => !done.has(name)),
    newer: [...done].filter((name) => !(name in MIGRATIONS)),
  }
}

/** True for a database that Howl has been started on. */
export async function isMigrated(db: Database): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean
  }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS there`.execute(db)
  return rows[0]?.there === true
}
