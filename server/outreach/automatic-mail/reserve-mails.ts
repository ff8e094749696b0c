import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { adoptKeptSuppressions, suppressedAmong } from '../../mail/emails/emails.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { nextDay, nextSendingTime } from './sending-times.ts'
import { type Refused, refuseBeyond, type Sending, type Standing, standingOf } from './standing.ts'
import { addReservations, lockDay, mailedOn, setEmails, type Source } from './store.ts'

export type Wanted = { contactId: number; address: string }

/** Why somebody gets no mail any more. */
export const SUPPRESSED: Readonly<Record<SuppressionReason, string>> = {
  unsubscribed: 'Has unsubscribed',
  bounced: 'Mail to this address came back',
  complaint: 'Has reported your mail as spam',
  manual: 'On your do-not-mail list',
  asked: 'May have unsubscribed',
  declined: 'Said no',
}

export const ONCE_A_DAY = 'Has had an automatic email today'

/**
 * Claims the right to one automatic mail today for each contact; in the transaction that queues the mails. At most one a
 * contact and day of the user is granted, however many ask at once; no more than the account may send today; none outside
 * the user's hours, from an account that stands still, or to a suppressed address.
 *
 * @returns for each contact null if it is reserved, otherwise why not
 */
export async function reserveMails(
  context: Context,
  tx: Tx,
  at: Sending & { source: Source },
  wanted: readonly Wanted[],
): Promise<Map<number, Refused | null>> {
  const answers = new Map<number, Refused | null>()
  if (wanted.length === 0) return answers
  const before = await standingOf(context, tx, at)
  if (before === undefined) throw new Error(`There is no mailbox ${at.mailboxId}`)
  // What is known of the account does not change by waiting for the lock, except how many are left of its ceiling.
  if (before.refused !== null && before.refused.kind !== 'warm_up') return refuseAll(wanted, before.refused)
  await lockDay(tx, at.userId, at.mailboxId, before.today)
  const standing = before.ceiling === null ? before : ((await standingOf(context, tx, at)) ?? before)

  const keyOf = new Map(wanted.map(({ contactId, address }) => [contactId, addressKey(address)]))
  const keys = [...new Set(keyOf.values())]
  await adoptKeptSuppressions(context, tx, at.userId, keys)
  const suppressed = await suppressedAmong(tx, at.userId, keys)
  const mailed = await mailedOn(tx, at.userId, standing.today, keys)
  const onceADay = refuseToday(context, standing)
  const free: { contactId: number; key: string }[] = []
  const asked = new Set<string>()
  for (const { contactId } of wanted) {
    const key = keyOf.get(contactId) ?? ''
    const off = suppressed.get(key)
    if (off !== undefined)
      answers.set(contactId, { kind: 'suppressed', reason: SUPPRESSED[off], until: null })
    else if (mailed.has(key) || asked.has(key)) answers.set(contactId, onceADay)
    else free.push({ contactId, key })
    asked.add(key)
  }
  const room = standing.ceiling === null ? free.length : Math.max(0, standing.ceiling - standing.sentToday)
  const reserved = await addReservations(
    tx,
    { ...at, day: standing.today, now: context.clock.now() },
    free.slice(0, room),
  )
  const full = refuseBeyond(context, standing)
  for (const [place, { contactId }] of free.entries())
    answers.set(contactId, reserved.has(contactId) ? null : place < room ? onceADay : full)
  return answers
}

/** Ties the mails to their reservations, in the same transaction: a mail that is taken back gives its day back. */
export async function noteQueued(
  tx: Tx,
  userId: number,
  source: Source,
  entries: readonly { contactId: number; emailId: number }[],
): Promise<void> {
  await setEmails(tx, userId, source, entries)
}

function refuseAll(wanted: readonly Wanted[], refused: Refused): Map<number, Refused> {
  return new Map(wanted.map(({ contactId }) => [contactId, refused]))
}

function refuseToday(context: Context, { rules, zone }: Standing): Refused {
  const tomorrow = nextSendingTime(rules, zone, nextDay(context.clock.now(), zone))
  return { kind: 'once_a_day', reason: ONCE_A_DAY, until: tomorrow }
}
