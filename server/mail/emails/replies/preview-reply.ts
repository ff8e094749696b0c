import { isOwnName } from '#contract/formats/shown-sender.ts'
import type { emails, Intent } from '#contract/mail/emails.ts'
import type { BodyOf, ReplyOf } from '#contract/platform/endpoint.ts'
import { findUser, type UserRow } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { invalidInput, notFound, TooManyRequests, unauthenticated } from '../../../platform/errors.ts'
import { busyTimes } from '../../../crm/meetings/meetings.ts'
import { modelFor } from '../../../models/language-models/language-models.ts'
import { firstName } from '../../../formats/mail-text/first-name.ts'
import { type Sender, replyFromTemplate } from './reply-template.ts'
import { runMailTask, MailTaskFailed } from '../../../formats/mail-tasks/run-mail-task.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { freeSlots, LOOK_AHEAD_MS, type Slot, slotWords } from '../../../formats/mail-text/propose-slot.ts'
import type { Caller } from '../compose/send-email.ts'
import { findBodyRow, findByMessageIds, findListed, type ListedEmail } from '../messages/store.ts'
import { givenMail, readConversation } from './conversation.ts'
import { generateReply } from './generate-reply.ts'
import { noteProposed } from './tone.ts'
import type { OfferedTime, TextSource } from './written-text.ts'

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
  const { body, intent, schedule, times, templated, sources } = await proposeReply(
    context,
    caller,
    await repliedMail(context, caller.id, input),
  )
  const meeting = schedule === null ? null : { title: schedule.title, ...spanOf(schedule) }
  return { body, intent, schedule: meeting, meeting_id: null, times: times.map(spanOf), templated, sources }
}

const spanOf = ({ start, end }: Slot) => ({ start_iso: start.toISOString(), end_iso: end.toISOString() })

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
  times: OfferedTime[]
  templated: boolean
  sources: TextSource[]
}

/** Writes a reply and, if the mail asks for a meeting, proposes times that are free. */
export async function proposeReply(
  context: Context,
  caller: Caller,
  mail: RepliedMail,
  deadlineMs?: number,
): Promise<Proposal> {
  const { timeZone: zone } = caller
  const user = await findUser(context.db, caller.id)
  if (user === undefined) throw unauthenticated()
  const sender = senderOfUser(user)
  const ruleIntent = await intentOf(caller.id, mail)
  const times = ruleIntent === 'meeting_request' ? await timesFor(context, caller, mail) : []
  const [first] = times
  const schedule = first === undefined ? null : { start: first.start, end: first.end, title: titleFor(mail) }
  const name =
    mail.row === null ? '' : firstName({ name: otherName(mail.row), email: mail.row.correspondent_key })
  const now = context.clock.now()
  const task = `Answer mail 1. What its writer wants: ${ruleIntent}.${first === undefined ? '' : ` Propose one or more of "times" (${zone}) in the same words, the first one above all.`}`
  const model = await modelFor(context, caller.id)
  const written = model.available
    ? await generateReply(
        context,
        caller.id,
        model,
        {
          task,
          mails:
            mail.row === null
              ? [await givenMail(caller.id, { ...mail, at: now })]
              : await readConversation(context, caller.id, mail.row.id),
          times,
          mustOffer: first !== undefined,
          sender,
          name,
          zone,
          now,
        },
        deadlineMs,
      )
    : null
  // The rules take precedence: a mail cannot talk the model into another intent.
  const intent = written !== null && ruleIntent === 'other' ? written.intent : ruleIntent
  const body =
    written?.body ??
    replyFromTemplate({ intent: ruleIntent, name, sender, slots: times.map(({ words }) => words), zone })
  await noteProposed(context, caller.id, body)
  const sources = written?.sources ?? times.map((time) => timeSource(time))
  return { body, intent, schedule, times, templated: written === null, sources }
}

const timeSource = ({ words }: OfferedTime): TextSource => ({
  line: words,
  kind: 'time',
  email_id: null,
  writer: '',
  written_at: null,
  quote: words,
})

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

/** Free times around the one that a mail asks for, in working hours of the user's zone. */
const timesFor = (context: Context, caller: Caller, { text }: RepliedMail) =>
  timesAfter(context, caller, text)

/** Free times of the next working days. */
export const timesToOffer = (context: Context, caller: Caller) => timesAfter(context, caller, '')

async function timesAfter(context: Context, caller: Caller, text: string): Promise<OfferedTime[]> {
  const { timeZone: zone } = caller
  const wanted = await runMailTask({ userId: caller.id }, 'wantedTime', text, context.clock.now(), zone)
  const until = new Date(wanted.getTime() + LOOK_AHEAD_MS)
  const slots = freeSlots(wanted, zone, await busyTimes(context.db, caller.id, wanted, until))
  return slots.map((slot) => ({ ...slot, words: slotWords(slot, zone) }))
}

function titleFor({ row }: RepliedMail): string {
  const name = row === null ? '' : otherName(row) || row.correspondent_key
  return (name === '' ? 'Meeting' : `Meeting with ${name}`).slice(0, 300)
}

/** The correspondent's own name; empty where it reads as another address, and for a mail that the user sent. */
function otherName({ direction, from_name: name, from_address: address }: ListedEmail): string {
  return direction === 'in' && isOwnName({ name, address }) ? name : ''
}
