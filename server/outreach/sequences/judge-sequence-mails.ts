import {
  type ClaimedMail,
  idsOfMails,
  type Judge,
  localDay,
  moveReservations,
} from '../automatic-mail/automatic-mail.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import { zoneReader } from '../../formats/contact-files/time-zone.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { putOffClaims, withdrawEmails } from '../../mail/emails/emails.ts'
import { accountOf } from './account-of.ts'
import { hoursOf, whenAllowed } from './pace.ts'
import { takeFromQueue } from './hold-sequence.ts'
import { haltsOf, lockMembersOf, setBack } from './members-store.ts'
import { isBehind } from './run-due.ts'
import { findSequence, lockSequence, type SequenceRow } from './store.ts'

/** What has stopped a member is worked off within this time, and its mail is taken back. */
const STOPPING_MS = 1000

/**
 * Judges mails of sequences that are about to leave. Those whose hours or day are over, or whose account is stopped, has still
 * to be read or is no longer the sequence's are taken back, and their members written to again when they may be. What a far server
 * has put off keeps its tries: it waits for its hours, and counts on the day on which it leaves.
 */
export const judgeSequenceMails: Judge = async (context, account, mails) => {
  const gone: number[] = []
  for (const [groupId, ofSequence] of Map.groupBy(mails, (mail) => mail.groupId)) {
    const sequence = await findSequence(context.db, account.userId, -groupId)
    if (sequence === undefined) continue
    if (sequence.state === 'running')
      gone.push(...(await judgeOfSequence(context, account, sequence, ofSequence)))
    else {
      // The far server has put it off since.
      await takeFromQueue(context, sequence)
      gone.push(...idsOfMails(ofSequence))
    }
  }
  return gone
}

async function judgeOfSequence(
  context: Context,
  account: Parameters<Judge>[1],
  sequence: SequenceRow,
  mails: readonly ClaimedMail[],
): Promise<number[]> {
  const { userId, standing } = account
  const { today, zone } = standing
  const now = context.clock.now()
  const [opens, halted] = await Promise.all([
    openings(context, account, sequence, mails),
    haltsOf(context.db, userId, mails),
  ])
  const halts = new Map(halted.map((halt) => [halt.emailId, halt]))
  const judged = Map.groupBy(mails, ({ emailId, day, wasPutOff }) => {
    const at = opens.get(emailId)
    const halt = halts.get(emailId)
    if (halt?.stoppingUntil != null) return 'wait'
    if (at === undefined || halt?.isOut === true) return 'back'
    if (at > now) return wasPutOff ? 'wait' : 'back'
    if (day >= today) return 'leave'
    return wasPutOff ? 'move' : 'back'
  })
  const wait = judged.get('wait') ?? []
  const back = idsOfMails(judged.get('back') ?? [])
  const move = idsOfMails(judged.get('move') ?? [])
  if (wait.length + back.length + move.length === 0) return []
  await inTransaction(context.db, async (tx) => {
    await lockSequence(tx, userId, sequence.id, 'keep')
    await lockMembersOf(tx, userId, [...back, ...move])
    const whenOf = ({ emailId }: ClaimedMail) =>
      Math.max(
        opens.get(emailId)?.getTime() ?? 0,
        halts.get(emailId)?.stoppingUntil?.getTime() ?? 0,
        now.getTime() + STOPPING_MS,
      )
    for (const [at, group] of Map.groupBy(wait, whenOf)) {
      const until = new Date(at)
      await moveReservations(tx, userId, idsOfMails(group), localDay(until, zone))
      await putOffClaims(context, tx, userId, idsOfMails(group), until)
    }
    // Another mail has their day.
    back.push(...(await moveReservations(tx, userId, move, today)))
    await setBack(tx, userId, back, now)
    await withdrawEmails(tx, userId, back)
  })
  return [...idsOfMails(wait), ...back]
}

/** When each of these mails may leave: `now` or later; absent: not from this account for the time being. */
async function openings(
  context: Context,
  { mailboxId, standing: { refused, rules, zone } }: Parameters<Judge>[1],
  sequence: SequenceRow,
  mails: readonly ClaimedMail[],
): Promise<Map<number, Date>> {
  const mailbox = await accountOf(context.db, sequence)
  if (refused?.kind === 'stopped' || mailbox?.id !== mailboxId || isBehind(mailbox)) return new Map()
  const now = context.clock.now()
  const zones = sequence.in_readers_zone ? await readersZones(context, sequence, mails) : null
  const opens = new Map<string | undefined, Date>()
  return new Map(
    mails.map(({ emailId, contactId }) => {
      const readersZone = zones?.get(contactId)
      const at = opens.get(readersZone) ?? whenAllowed([hoursOf(sequence, readersZone), rules], zone, now)
      opens.set(readersZone, at)
      return [emailId, at]
    }),
  )
}

/** The zones of the contacts that these mails go to, where they are known. */
async function readersZones(
  { db }: Context,
  { user_id: userId }: SequenceRow,
  mails: readonly ClaimedMail[],
) {
  const zoneOf = await zoneReader()
  const contactIds = mails.map(({ contactId }) => contactId)
  const contacts = await contactsById(db, userId, contactIds)
  return new Map([...contacts].map(([id, { email, phone }]) => [id, zoneOf({ email, phone })]))
}
