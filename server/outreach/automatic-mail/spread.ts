import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import type { Spread } from '#contract/outreach/runs.ts'
import { countSentSince } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import { daysLater, localDay } from './sending-times.ts'
import { countDays, findAccount } from './store.ts'
import { spreadDays } from './warm-up.ts'

/** How far back an account's mails are counted. */
const LATELY_DAYS = 30
/** An address that has sent this many lately is known to the providers: nothing is gained by spreading. */
const KNOWN_FROM = 100

/** What is to be known of spreading so many mails over days before it is chosen; null where all of them fit into today. */
export async function adviseSpread(
  context: Context,
  { userId, mailboxId }: { userId: number; mailboxId: number },
  mails: number,
): Promise<(Omit<Spread, 'selected'> & { isOn: boolean }) | null> {
  const account = await findAccount(context.db, userId, mailboxId)
  if (account === undefined || account.isPractice) return null
  const now = context.clock.now()
  const zone = account.timeZone ?? FALLBACK_ZONE
  const today = localDay(now, zone)
  const counts = await countDays(context.db, userId, mailboxId, {
    today,
    since: daysLater(today, -LATELY_DAYS),
    warmUpDay: localDay(account.warmUpFrom ?? now, zone),
  })
  const days = spreadDays(mails, counts)
  if (days <= 1) return null
  const since = new Date(now.getTime() - LATELY_DAYS * 24 * 3_600_000)
  // An automatic mail that was deleted since has been sent all the same.
  const sent = Math.max(counts.since, await countSentSince(context.db, userId, mailboxId, since))
  const recommended = context.config.warmUp && sent < KNOWN_FROM
  return { days, sent_lately: sent, recommended, isOn: account.warmUpFrom !== null }
}
