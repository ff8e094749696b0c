import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import {
  localDay,
  mailsOfEarlierDays,
  moveReservations,
  type Standing,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import { zoneReader } from '../../formats/contact-files/time-zone.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { workThrough } from '../../platform/work-through.ts'
import { putOffEmails, withdrawEmails } from '../../mail/emails/emails.ts'
import { hoursOf, whenAllowed } from './pace.ts'
import { type QueuedMail, queuedMailsOf, sequencesWithQueuedMails, setBack } from './members-store.ts'
import { lockSequence, type Owned, type SequenceRow } from './store.ts'

/**
 * Takes back mails that are queued and may not leave any more: their hours are over, their day is another one's, their account
 * stands still, or all mail of the user is paused: when the pause ends, nothing old is there to leave at once. An account with
 * an hourly limit, or a server that puts mail off, keeps some until then. They are written again when they may leave. What a far
 * server has put off keeps its tries, and waits for its hours.
 */
export const takeBackLate = (context: Context): Promise<void> =>
  workThrough(
    context,
    (after: Owned | undefined, limit) => sequencesWithQueuedMails(context.db, after, limit),
    ({ userId, id }) =>
      inTransaction(context.db, async (tx) => {
        const sequence = await lockSequence(tx, userId, id, 'keep')
        if (sequence?.state === 'running') await takeBack(context, tx, sequence)
      }),
    'late mails of a sequence could not be taken back',
  )

async function takeBack(context: Context, tx: Tx, sequence: SequenceRow): Promise<void> {
  const { user_id: userId } = sequence
  const now = context.clock.now()
  const zone = (await findUser(tx, userId))?.time_zone ?? FALLBACK_ZONE
  const today = localDay(now, zone)
  const mails = await queuedMailsOf(tx, userId, sequence.id)
  const opens = await openings(context, tx, sequence, { mails, zone, now })
  const past = mails.filter(({ emailId }) => opens.get(emailId) !== now)
  const waiting = past.filter(({ emailId, wasTried }) => wasTried && opens.get(emailId) != null)
  for (const [at, group] of Map.groupBy(waiting, ({ emailId }) => opens.get(emailId)?.getTime() ?? 0)) {
    const emailIds = group.map(({ emailId }) => emailId)
    await moveReservations(tx, userId, { emailIds }, localDay(new Date(at), zone))
    await putOffEmails(tx, userId, emailIds, new Date(at))
  }
  // Over midnight, between two days on which it may write at any hour.
  const overnight = mails.filter((mail) => !past.includes(mail) && mail.day !== null && mail.day < today)
  const emailIds = overnight.map(({ emailId }) => emailId)
  await moveReservations(tx, userId, { emailIds }, today)
  const back = [
    ...past.filter((mail) => !waiting.includes(mail)).map(({ emailId }) => emailId),
    ...(await mailsOfEarlierDays(tx, userId, { emailIds }, today)),
  ]
  await setBack(tx, userId, back, now)
  await withdrawEmails(tx, userId, back)
  if (back.length > 0) await context.live.publish(tx, userId, { topic: 'outreach' })
}

/** When each of these mails may leave: `now`, later, or null: not by itself. */
async function openings(
  context: Context,
  tx: Tx,
  sequence: SequenceRow,
  { mails, zone, now }: { mails: readonly QueuedMail[]; zone: string; now: Date },
): Promise<Map<number, Date | null>> {
  const standings = new Map<number, Standing | undefined>()
  for (const mailboxId of new Set(mails.map((mail) => mail.mailboxId)))
    standings.set(mailboxId, await standingOf(context, tx, { userId: sequence.user_id, mailboxId }))
  const zoneOf = sequence.in_readers_zone ? await zoneReader() : () => undefined
  return new Map(
    mails.map(({ emailId, mailboxId, email, phone }) => {
      const standing = standings.get(mailboxId)
      if (standing === undefined) return [emailId, now]
      const kind = standing.refused?.kind
      if (kind === 'stopped' || kind === 'paused') return [emailId, null]
      const hours = hoursOf(sequence, zoneOf({ email: email ?? '', phone: phone ?? '' }))
      const opens = whenAllowed([hours, standing.rules], zone, now)
      return [emailId, opens > now ? opens : now]
    }),
  )
}
