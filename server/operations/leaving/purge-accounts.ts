import { eraseActivities, noteActivity } from '../../accounts/activities/activities.ts'
import { beginPurges, forgetCallers, removeUser, restorableSince } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { keepSuppressions } from '../../mail/emails/emails.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { detachFeedback, findFeedback } from './feedback-store.ts'
import { ownerColumns, removeSome } from './owned-rows-store.ts'
import { withoutPerson } from './without-person.ts'

const LOOK_EVERY_MS = 10 * 60_000
const ACCOUNTS_AT_ONCE = 20
/** Rows removed in one transaction. Those that go with them are a handful for each. */
const ROWS_AT_ONCE = 500
/** Triggers count while rows go, and write rows themselves: so often every table is looked at again. */
const PASSES_MAX = 5

type Account = Awaited<ReturnType<typeof beginPurges>>[number]

/** Starts the loop that removes accounts which were deleted 30 days ago. */
export function startLeavingLoops(context: Context): Loop[] {
  return [startLoop(context, 'purge accounts', LOOK_EVERY_MS, () => purgeAccounts(context))]
}

/** Removes every account whose time to be restored is over. */
export async function purgeAccounts(context: Context): Promise<void> {
  const now = context.clock.now()
  const due = await beginPurges(context.db, restorableSince(now), now, ACCOUNTS_AT_ONCE)
  for (const account of due) {
    if (context.stopping.aborted) return
    await purgeAccount(context, account)
  }
  if (due.length === ACCOUNTS_AT_ONCE) await purgeAccounts(context)
}

/**
 * Removes every row and file of an account, a few hundred at a time. Killed anywhere, it goes on with the next call: the
 * account itself goes last.
 */
async function purgeAccount(context: Context, account: Account): Promise<void> {
  await keepSuppressions(context, account.id, account.email_key)
  // Whoever is told to stop has perhaps not kept all of them: they must not go yet.
  if (context.stopping.aborted) return
  await anonymizeFeedback(context, account)
  await context.blobs.deleteAllOf(String(account.id))
  for (let pass = 1; pass <= PASSES_MAX; pass++) {
    const removed = await removeRows(context, account.id)
    if (context.stopping.aborted) return
    if (removed === 0) break
  }
  await eraseActivities(context, account.id)
  if (context.stopping.aborted) return
  await inTransaction(context.db, async (tx) => {
    await removeUser(tx, account.id)
    // Nobody is named any more.
    await noteActivity(context, tx, { type: 'account_removed', user: null, origin: null })
  })
  forgetCallers(context, account.id)
  logSecurity(context.log, { event: 'account_removed' }, account.id, null)
}

async function removeRows(context: Context, userId: number): Promise<number> {
  let total = 0
  for (const place of await ownerColumns(context.db)) {
    for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE && !context.stopping.aborted;) {
      removed = await inTransaction(context.db, (tx) => removeSome(tx, place, userId, ROWS_AT_ONCE))
      total += removed
    }
  }
  return total
}

async function anonymizeFeedback({ db }: Context, account: Account): Promise<void> {
  await inTransaction(db, async (tx) => {
    const feedback = await findFeedback(tx, account.id)
    if (feedback === undefined) return
    const names = [account.email, account.name, account.username, ...account.name.split(/\s+/u)]
    const clean = (text: string) => withoutPerson(text, names)
    await detachFeedback(tx, account.id, {
      custom_category: clean(feedback.custom_category),
      details: clean(feedback.details),
      improvements: clean(feedback.improvements),
      competitor: clean(feedback.competitor),
    })
  })
}
