import type { emails, Intent } from '#contract/emails.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { findUser, type UserRow } from '../../auth/auth.ts'
import type { Context } from '../../context.ts'
import { invalidInput, notFound, unauthenticated } from '../../errors.ts'
import { busyTimes } from '../../meetings/meetings.ts'
import { firstName } from '../../mail/first-name.ts'
import { type Sender, replyFromTemplate } from './reply-template.ts'
import { doMailWork, WorkFailed } from '../../worker-threads/run-mail-task.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { freeSlot, LOOK_AHEAD_MS, type Slot, slotWords } from '../../mail/propose-slot.ts'
import type { Caller } from '../compose/send-email.ts'
import { findBodyRow, findByMessageIds, findListed, type ListedEmail } from '../messages/store.ts'
import { generateReply } from './generate-reply.ts'

/** The mail that is answered: as it is stored, or as the caller gives it. */
export type RepliedMail = { row: ListedEmail | null; text: string; subject: string }

/** Text of a mail in which an intent is looked for. */
type RepliedInput = {
  email_id?: number | null | undefined
  original?: string | undefined
  subject?: string | undefined
}

/**
 * Proposes an answer to a mail; nothing is sent. By the language model where there is one, else by the template.
 *
 * @throws Refusal 404 for a mail that is not there; 400 without one
 */
export async function previewReply(
  context: Context,
  caller: Caller,
  input: BodyOf<typeof emails.replyPreview>,
): Promise<ReplyOf<typeof emails.replyPreview>> {
  const { body, intent, schedule, templated } = await proposeReply(
    context,
    caller,
    await repliedMail(context, caller.id, input),
  )
  const meeting =
    schedule === null
      ? null
      : {
          title: schedule.title,
          start_iso: schedule.start.toISOString(),
          end_iso: schedule.end.toISOString(),
        }
  return { body, intent, schedule: meeting, meeting_id: null, templated }
}

/** The mail that a call names, or whose text it gives. @throws Refusal 404, 400 */
export async function repliedMail(
  context: Context,
  userId: number,
  input: RepliedInput,
): Promise<RepliedMail> {
  if (input.email_id != null) {
    const row = await findListed(context.db, userId, input.email_id)
    if (row === undefined) throw notFound(EMAIL_NOT_FOUND)
    const body = await findBodyRow(context.db, userId, row.id)
    return { row, text: body?.text ?? row.snippet, subject: row.subject }
  }
  const text = input.original?.trim() ?? ''
  if (text === '')
    throw invalidInput('Please choose the email to answer', { email_id: 'Please choose the email to answer' })
  return { row: null, text, subject: input.subject ?? '' }
}

export type Proposal = {
  body: string
  intent: Intent
  schedule: (Slot & { title: string }) | null
  templated: boolean
}

/** Writes an answer and, for who asks for a meeting, finds a time for it. */
export async function proposeReply(
  context: Context,
  caller: Caller,
  mail: RepliedMail,
  deadlineMs?: number,
): Promise<Proposal> {
  const user = await findUser(context.db, caller.id)
  if (user === undefined) throw unauthenticated()
  const sender = senderOfUser(user)
  const said = await intentOf(mail)
  const schedule = said === 'meeting_request' ? await proposeMeeting(context, caller, mail) : null
  const slot = schedule === null ? null : `${slotWords(schedule, caller.timeZone)} (${caller.timeZone})`
  const name =
    mail.row === null ? '' : firstName({ name: otherName(mail.row), email: mail.row.correspondent_key })
  const written = await generateReply(
    context,
    {
      task: `Answer the mail. What its writer wants: ${said}.${slot === null ? '' : ' Propose the given slot in the given words.'}`,
      sender,
      name,
      subject: mail.subject,
      slot,
    },
    await doMailWork('newWords', mail.text),
    deadlineMs,
  )
  if (written === null)
    return {
      body: replyFromTemplate({ intent: said, name, sender, slot }),
      intent: said,
      schedule,
      templated: true,
    }
  // The rules go first: what a mail talks the model into saying of it does not count.
  const intent = said === 'other' ? written.intent : said
  return { body: written.body, intent, schedule, templated: false }
}

/** What the caller of a mail wants: as it was found when it came in, else by the rules; 'other' where they cannot be asked. */
export async function intentOf({ row, text }: RepliedMail): Promise<Intent> {
  const known = row?.intent as Intent | null | undefined
  if (known != null) return known
  return doMailWork('classifyReply', text).catch((error: unknown) => {
    if (error instanceof WorkFailed) return 'other'
    throw error
  })
}

/**
 * What the mail wanted that a letter answers: the quoted one, else the one that it names by Message-ID. Null for a letter
 * that answers nothing, or no mail that came in and is still there.
 */
export async function repliedIntent(
  context: Context,
  userId: number,
  letter: {
    quote_of?: number | null | undefined
    forward_of?: number | null | undefined
    in_reply_to?: string | null | undefined
  },
): Promise<Intent | null> {
  if (letter.forward_of != null) return null
  const named = letter.in_reply_to == null ? [] : [letter.in_reply_to]
  const id = letter.quote_of ?? (await findByMessageIds(context.db, userId, named))[0]?.id
  const row = id === undefined ? undefined : await findListed(context.db, userId, id)
  if (row?.direction !== 'in') return null
  const body = row.intent === null ? await findBodyRow(context.db, userId, row.id) : undefined
  return intentOf({ row, text: body?.text ?? row.snippet, subject: row.subject })
}

/** Who writes, as it stands under a mail. */
export function senderOfUser(user: UserRow): Sender {
  return { name: user.name, company: user.company_name || user.business_name, role: user.job_title }
}

async function proposeMeeting(
  context: Context,
  caller: Caller,
  { row, text }: RepliedMail,
): Promise<Slot & { title: string }> {
  const wanted = await doMailWork('wantedTime', text, context.clock.now(), caller.timeZone)
  const until = new Date(wanted.getTime() + LOOK_AHEAD_MS)
  const slot = freeSlot(wanted, caller.timeZone, await busyTimes(context.db, caller.id, wanted, until))
  const name = row === null ? '' : otherName(row) || row.correspondent_key
  return { ...slot, title: (name === '' ? 'Meeting' : `Meeting with ${name}`).slice(0, 300) }
}

/** Display name of the other side; mail of our own names nobody. */
function otherName({ direction, from_name: name }: ListedEmail): string {
  return direction === 'in' ? name : ''
}
