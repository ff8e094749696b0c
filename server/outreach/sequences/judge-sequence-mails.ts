import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import {
  type Judge,
  localDay,
  mailsOfEarlierDays,
  moveReservations,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import { zoneReader } from '../../formats/contact-files/time-zone.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { putOffClaims, withdrawEmails } from '../../mail/emails/emails.ts'
import { hoursOf, whenAllowed } from './pace.ts'
import { type SequenceMail, sequenceMailsAmong, setBack } from './members-store.ts'
import { isBehind } from './run-due.ts'
import { findSequence, lockSequence, type SequenceRow } from './store.ts'

/** What has stopped a member is worked off within this time, and its mail is taken back. */
const STOPPING_MS = 1000

/**
 * Judges mails of sequences that are about to leave. Those whose hours or day are over, or whose account stands still, are taken
 * back, and their members written to again when they may be. What a far server has put off keeps its tries: it waits for its
 * hours, and counts on the day on which it leaves.
 */
export const judgeSequenceMails: Judge = async (context, { userId, mailboxId }, emailIds) => {
  const gone: number[] = []
  const mails = await sequenceMailsAmong(context.db, userId, emailIds)
  for (const [id, ofSequence] of Map.groupBy(mails, (mail) => mail.sequenceId)) {
    const sequence = await findSequence(context.db, userId, id)
    // One that is held or over has taken the claims of its mails away.
    if (sequence?.state !== 'running') continue
    gone.push(...(await judgeMails(context, sequence, mailboxId, ofSequence)))
  }
  return gone
}

async function judgeMails(
  context: Context,
  sequence: SequenceRow,
  mailboxId: number,
  mails: readonly SequenceMail[],
): Promise<number[]> {
  const { user_id: userId, id } = sequence
  const now = context.clock.now()
  const zone = (await findUser(context.db, userId))?.time_zone ?? FALLBACK_ZONE
  const today = localDay(now, zone)
  const opens = await openings(context, sequence, { mailboxId, mails, zone, now })
  const judged = Map.groupBy(mails, (mail) => {
    const at = opens.get(mail.emailId)
    if (mail.isStopping) return 'wait'
    if (at == null) return 'back'
    if (at > now) return mail.wasTried ? 'wait' : 'back'
    if (mail.day === null || mail.day >= today) return 'leave'
    return mail.wasTried ? 'move' : 'back'
  })
  const wait = judged.get('wait') ?? []
  const back = idsOf(judged.get('back') ?? [])
  const move = idsOf(judged.get('move') ?? [])
  if (wait.length > 0 || back.length > 0 || move.length > 0) {
    await inTransaction(context.db, async (tx) => {
      await lockSequence(tx, userId, id, 'keep')
      for (const [at, group] of Map.groupBy(wait, ({ emailId }) => opens.get(emailId)?.getTime() ?? 0)) {
        const until = new Date(Math.max(at, now.getTime() + STOPPING_MS))
        await moveReservations(tx, userId, { emailIds: idsOf(group) }, localDay(until, zone))
        await putOffClaims(tx, userId, idsOf(group), until)
      }
      await moveReservations(tx, userId, { emailIds: move }, today)
      // Another mail has their day.
      back.push(...(await mailsOfEarlierDays(tx, userId, { emailIds: move }, today)))
      await setBack(tx, userId, back, now)
      await withdrawEmails(tx, userId, back)
      await context.live.publish(tx, userId, { topic: 'outreach' })
    })
  }
  return [...idsOf(wait), ...back]
}

/** When each of these mails may leave: `now`, later, or null: not by itself. */
async function openings(
  context: Context,
  sequence: SequenceRow,
  {
    mailboxId,
    mails,
    zone,
    now,
  }: { mailboxId: number; mails: readonly SequenceMail[]; zone: string; now: Date },
): Promise<Map<number, Date | null>> {
  const standing = await standingOf(context, context.db, { userId: sequence.user_id, mailboxId })
  const kind = standing?.refused?.kind
  if (
    standing === undefined ||
    kind === 'stopped' ||
    kind === 'paused' ||
    (await isBehind(context.db, sequence))
  )
    return new Map()
  const zoneOf = sequence.in_readers_zone ? await zoneReader() : () => undefined
  return new Map(
    mails.map(({ emailId, email, phone }) => {
      const hours = hoursOf(sequence, zoneOf({ email: email ?? '', phone: phone ?? '' }))
      return [emailId, whenAllowed([hours, standing.rules], zone, now)]
    }),
  )
}

const idsOf = (mails: readonly SequenceMail[]) => mails.map(({ emailId }) => emailId)
