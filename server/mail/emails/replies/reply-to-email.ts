import type { emails, Intent } from '#contract/mail/emails.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { invalidInput } from '../../../platform/errors.ts'
import { parseAddressList } from '../../../formats/mail-text/addresses.ts'
import { replySubject } from '../../../formats/mail-text/threading.ts'
import { addMeeting, publishMeetings } from '../../../crm/meetings/meetings.ts'
import { saveComposition } from '../compose/compositions-store.ts'
import { EMPTY_CONTENT } from '../compose/draft-content.ts'
import { type RepliedMail, repliedMail, intentOf, proposeReply } from './preview-reply.ts'
import { sendDraftContent, type Caller } from '../compose/send-email.ts'
import { findBodyRow, type ListedEmail } from '../messages/store.ts'

/** The mail is sent within the same call, and nobody waits longer than half a minute for it. */
const MODEL_MS = 8000

const NO_SENDER = 'This email has no sender to reply to. Enter an address.'

type Input = BodyOf<typeof emails.reply>
type Meeting = { title: string; start: Date; end: Date }

/**
 * Replies to a mail and adds the meeting that the reply arranges, both or neither. The reply goes to the mail's Reply-To,
 * else to its sender. If no text is given, it is written as in the preview.
 *
 * @throws Refusal 404 for a missing mail; 400 without mail and address, for a blank text, and as in `sendEmail`
 */
export async function replyToEmail(
  context: Context,
  caller: Caller,
  input: Input,
): Promise<{ mail: ListedEmail; intent: Intent; meetingId: number | null }> {
  const { body: written } = input
  const isWritten = written !== undefined
  // What somebody typed, even if it is nothing, is never replaced by generated text.
  if (isWritten && written.trim() === '') throw nothingWritten()
  const repliedTo = await repliedMailOrNull(context, caller.id, input)
  const to = await recipientOf(context, repliedTo, input)
  const proposal =
    isWritten || repliedTo === null ? null : await proposeReply(context, caller, repliedTo, MODEL_MS)
  const text = written ?? proposal?.body
  if (text === undefined) throw nothingWritten()
  const meeting = meetingOf(input, proposal?.schedule ?? null)

  let meetingId: number | null = null
  const mail = await sendDraftContent(
    context,
    caller,
    EMPTY_CONTENT,
    {
      ...input,
      to,
      subject: subjectOf(input, repliedTo),
      content: text,
      // HTML without its text would say something other than the text.
      html: isWritten ? input.html : null,
      in_reply_to: input.in_reply_to ?? repliedTo?.row?.message_id ?? null,
    },
    {
      undoSeconds: input.undo_seconds,
      mailboxId: input.mailbox_id,
      preferredMailboxId: repliedTo?.row?.mailbox_id,
      withinTransaction: async (tx, emailId) => {
        if (meeting === null) return
        const attendee = parseAddressList(to)[0]?.address ?? to
        meetingId = await addMeeting(tx, caller.id, { ...meeting, attendee }, context.clock.now())
        await saveComposition(tx, caller.id, emailId, { meeting_id: meetingId })
        await publishMeetings(context, tx, caller.id)
      },
    },
  )
  const intent = proposal?.intent ?? (repliedTo === null ? 'other' : await intentOf(caller.id, repliedTo))
  return { mail, intent, meetingId }
}

function nothingWritten() {
  return invalidInput('Please write something', { body: 'Please write something' })
}

/** The mail being replied to; null if only an address is given. */
async function repliedMailOrNull(
  context: Context,
  userId: number,
  input: Input,
): Promise<RepliedMail | null> {
  if (input.email_id != null || (input.original ?? '').trim() !== '')
    return repliedMail(context, userId, input)
  return null
}

/** Where a reply to a stored mail goes: its Reply-To, else all its senders; of an own mail its recipients. May be empty. */
export async function repliedRecipient(db: Queryable, row: ListedEmail): Promise<string> {
  if (row.direction === 'out') return row.to_line
  const body = await findBodyRow(db, row.user_id, row.id)
  return body !== undefined && body.reply_to_line !== ''
    ? body.reply_to_line
    : row.from_line || row.from_address
}

/** The stored mail decides where its reply goes; the caller does only without one. */
async function recipientOf(context: Context, repliedTo: RepliedMail | null, { to }: Input): Promise<string> {
  const row = repliedTo?.row ?? null
  const stored = row === null ? '' : await repliedRecipient(context.db, row)
  if (stored !== '') return stored
  if (to !== undefined) return to
  if (row !== null) throw invalidInput(NO_SENDER, { to: NO_SENDER })
  throw invalidInput('Please enter an email address', { to: 'Please enter an email address' })
}

/** The subject with exactly one "Re:", whatever the caller or the original mail has in front. */
function subjectOf({ subject }: Input, repliedTo: RepliedMail | null): string {
  const given = subject?.trim() ?? ''
  const of = given === '' ? (repliedTo?.subject.trim() ?? '') : given
  if (of === '') throw invalidInput('Please enter a subject', { subject: 'Please enter a subject' })
  return replySubject(of)
}

/** The meeting to add: the caller's, else the one in the proposed reply. @throws Refusal 400 */
function meetingOf({ schedule }: Input, proposed: Meeting | null): Meeting | null {
  if (schedule === undefined) return proposed
  if (schedule === null) return null
  const meeting = {
    title: schedule.title,
    start: new Date(schedule.start_iso),
    end: new Date(schedule.end_iso),
  }
  if (meeting.end > meeting.start) return meeting
  const why = 'The meeting has to end after it starts.'
  throw invalidInput(why, { schedule: why })
}
