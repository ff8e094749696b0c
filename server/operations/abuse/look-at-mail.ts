import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { MailDay } from './facts.ts'
import {
  importedLately,
  mailDays,
  singleMailsToStrangers,
  takeNewMail,
  usersWithNewMail,
} from './mail-facts-store.ts'
import { noteFindings } from './note-findings.ts'
import { type Suspect, suspectsAmong } from './patterns-store.ts'
import { MAIL_RULES, MAILS_AT_LEAST } from './rules.ts'
import { withSameWords } from './same-words.ts'

const USERS_AT_ONCE = 100
const DAY_MS = 86_400_000

/** Judges the mail of each user who has sent something, or of whose mail something became known. */
export async function lookAtMail(context: Context, now: Date): Promise<void> {
  for (let found = USERS_AT_ONCE; found === USERS_AT_ONCE && !context.stopping.aborted;) {
    const users = await usersWithNewMail(context.db, USERS_AT_ONCE)
    found = users.length
    const suspects = new Map((await suspectsAmong(context.db, users)).map((each) => [each.id, each]))
    for (const userId of users) {
      await inTransaction(context.db, async (tx) => {
        // Taken in the same transaction as judged: a kill loses nothing.
        await takeNewMail(tx, userId)
        const suspect = suspects.get(userId)
        if (suspect === undefined) return
        const days = await mailDays(tx, userId, now)
        const mails = days.reduce((sum, { sent, refusedAtOnce }) => sum + sent + refusedAtOnce, 0)
        if (mails < MAILS_AT_LEAST) return
        await noteFindings(tx, MAIL_RULES, [{ suspect, facts: await mailFacts(tx, suspect, days, now) }], now)
      })
    }
  }
}

async function mailFacts(db: Queryable, { id, created_at }: Suspect, days: readonly MailDay[], now: Date) {
  const since = new Date(now.getTime() - DAY_MS)
  const sameWords = withSameWords(await singleMailsToStrangers(db, id, since)).map(({ at }) => at)
  const imported = await importedLately(db, id, now)
  return { openedAt: created_at, now, days, imported, sameWords }
}
