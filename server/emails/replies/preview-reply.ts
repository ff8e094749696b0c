import type { emails, Intent } from '#contract/emails.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { findUser, type UserRow } from '../../auth/auth.ts'
import type { Context } from '../../context.ts'
import { invalidInput, notFound, TooManyRequests, unauthenticated } from '../../errors.ts'
import { busyTimes } from '../../meetings/meetings.ts'
import { firstName } from '../../mail/first-name.ts'
import { type Sender, replyFromTemplate } from './reply-template.ts'
import { runMailTask, MailTaskFailed } from '../../worker-threads/run-mail-task.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { freeSlot, LOOK_AHEAD_MS, type Slot, slotWords } from '../../mail/propose-slot.ts'
import type { Caller } from '../compose/send-email.ts'
import { findBodyRow, findByMessageIds, findListed, type ListedEmail } from '../messages/store.ts'
import { generateReply } from './generate-reply.ts'

/** The mail that is replied to: as it is stored, or as the caller gives it. */
export type RepliedMail = { row: ListedEmail | null; text: string; subject: string }

/** The mail to reply to: its id, or its text. */
type RepliedInput = {
  email_id?: number | null | undefined
  original?: string | undefined
  subject?: string | undefined
}

/**
 * Proposes a reply to a mail; nothing is sent. The language model writes it if there is one, else the template.
 *
 * @throws Refusal 404 for a missing mail; 400 without a mail
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

/** The mail that a call names, or whose text it gives. @throws Refusal 404 for a missing mail; 400 without a mail */
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
    throw invalidInput('Please choose the email to reply to', {
      email_id: 'Please choose the email to reply to',
    })
  return { row: null, text, subject: input.subject ?? '' }
}

export type Proposal = {
  body: string
  intent: Intent
  schedule: (Slot & { title: string }) | null
  templated: boolean
}

/** Writes a reply and, if the mail asks for a meeting, proposes a time. */
export async function proposeReply(
  context: Context,
  caller: Caller,
  mail: RepliedMail,
  deadlineMs?: number,
): Promise<Proposal> {
  const user = await findUser(context.db, caller.id)
  if (user === undefined) throw unauthenticated()
  const sender = senderOfUser(user)
  const ruleIntent = await intentOf(caller.id, mail)
  const schedule = ruleIntent === 'meeting_request' ? await proposeMeeting(context, caller, mail) : null
  const slot = schedule === null ? null : `${slotWords(schedule, caller.timeZone)} (${caller.timeZone})`
  const name =
    mail.row === null ? '' : firstName({ name: otherName(mail.row), email: mail.row.correspondent_key })
  const written = await generateReply(
    context,
    {
      task: `Answer the mail. What its writer wants: ${ruleIntent}.${slot === null ? '' : ' Propose the given slot in the given words.'}`,
      sender,
      name,
      subject: mail.subject,
      slot,
    },
    await runMailTask({ userId: caller.id }, 'newWords', mail.text),
    deadlineMs,
  )
  if (written === null)
    return {
      body: replyFromTemplate({ intent: ruleIntent, name, sender, slot }),
      intent: ruleIntent,
      schedule,
      templated: true,
    }
  // The rules take precedence: a mail cannot talk the model into another intent.
  const intent = ruleIntent === 'other' ? written.intent : ruleIntent
  return { body: written.body, intent, schedule, templated: false }
}

/** The intent of a mail: as it was classified on arrival, else by the rules; 'other' if they fail. */
export async function intentOf(userId: number, { row, text }: RepliedMail): Promise<Intent> {
  const stored = row?.intent as Intent | null | undefined
  if (stored != null) return stored
  return runMailTask({ userId }, 'classifyReply', text).catch((error: unknown) => {
    if (error instanceof MailTaskFailed || error instanceof TooManyRequests) return 'other'
    throw error
  })
}

/**
 * The intent of the mail that a message replies to: the quoted mail, else the one that it names by Message-ID. Null for a
 * message that is not a reply, or whose original is not a received mail or is gone.
 */
export async function repliedIntent(
  context: Context,
  userId: number,
  message: {
    quote_of?: number | null | undefined
    forward_of?: number | null | undefined
    in_reply_to?: string | null | undefined
  },
): Promise<Intent | null> {
  if (message.forward_of != null) return null
  const named = message.in_reply_to == null ? [] : [message.in_reply_to]
  const id = message.quote_of ?? (await findByMessageIds(context.db, userId, named))[0]?.id
  const row = id === undefined ? undefined : await findListed(context.db, userId, id)
  if (row?.direction !== 'in') return null
  const body = row.intent === null ? await findBodyRow(context.db, userId, row.id) : undefined
  return intentOf(userId, { row, text: body?.text ?? row.snippet, subject: row.subject })
}

/** The user as the sender named under a mail. */
export function senderOfUser(user: UserRow): Sender {
  return { name: user.name, company: user.company_name || user.business_name, role: user.job_title }
}

async function proposeMeeting(
  context: Context,
  caller: Caller,
  { row, text }: RepliedMail,
): Promise<Slot & { title: string }> {
  const requestedTime = await runMailTask(
    { userId: caller.id },
    'wantedTime',
    text,
    context.clock.now(),
    caller.timeZone,
  )
  const until = new Date(requestedTime.getTime() + LOOK_AHEAD_MS)
  const slot = freeSlot(
    requestedTime,
    caller.timeZone,
    await busyTimes(context.db, caller.id, requestedTime, until),
  )
  const name = row === null ? '' : otherName(row) || row.correspondent_key
  return { ...slot, title: (name === '' ? 'Meeting' : `Meeting with ${name}`).slice(0, 300) }
}

/** Display name of the correspondent; empty for a mail that the user sent. */
function otherName({ direction, from_name: name }: ListedEmail): string {
  return direction === 'in' ? name : ''
}
