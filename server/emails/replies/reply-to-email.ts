import type { emails, Intent } from '#contract/emails.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { invalidInput } from '../../errors.ts'
import { parseAddressList } from '../../mail/addresses.ts'
import { replySubject } from '../../mail/threading.ts'
import { addMeeting, publishMeetings } from '../../meetings/meetings.ts'
import { saveComposition } from '../compose/compositions-store.ts'
import { EMPTY_CONTENT } from '../compose/draft-content.ts'
import { type RepliedMail, repliedMail, intentOf, proposeReply } from './preview-reply.ts'
import { sendDraftContent, type Caller } from '../compose/send-email.ts'
import { findBodyRow, type ListedEmail } from '../messages/store.ts'

/** The mail is to leave within the same call, which nobody waits for longer than half a minute. */
const MODEL_MS = 8000

type Input = BodyOf<typeof emails.reply>
type Meeting = { title: string; start: Date; end: Date }

/**
 * Answers a mail and adds the meeting that the answer arranges, both or none. The answer goes to the mail's Reply-To,
 * else to its sender; where no text is given it is written as in the preview.
 *
 * @throws Refusal 404 for a mail that is not there; 400 without mail and address, for a text of blanks, and as sending does
 */
export async function replyToEmail(
  context: Context,
  caller: Caller,
  input: Input,
): Promise<{ mail: ListedEmail; intent: Intent; meetingId: number | null }> {
  const { body: written } = input
  const isWritten = written !== undefined
  // What somebody has typed, and be it nothing, is never replaced by words that are not theirs.
  if (isWritten && written.trim() === '') throw nothingWritten()
  const answered = await repliedMailOrNull(context, caller.id, input)
  const to = await recipientOf(context, answered, input)
  const proposal =
    isWritten || answered === null ? null : await proposeReply(context, caller, answered, MODEL_MS)
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
      subject: subjectOf(input, answered),
      content: text,
      // HTML that belongs to no text would say something else than the text.
      html: isWritten ? input.html : null,
      in_reply_to: input.in_reply_to ?? answered?.row?.message_id ?? null,
    },
    {
      undoSeconds: input.undo_seconds,
      preferredMailboxId: answered?.row?.mailbox_id,
      withinTransaction: async (tx, emailId) => {
        if (meeting === null) return
        const attendee = parseAddressList(to)[0]?.address ?? to
        meetingId = await addMeeting(tx, caller.id, { ...meeting, attendee }, context.clock.now())
        await saveComposition(tx, caller.id, emailId, { meeting_id: meetingId })
        await publishMeetings(context, tx, caller.id)
      },
    },
  )
  const intent = proposal?.intent ?? (answered === null ? 'other' : await intentOf(answered))
  return { mail, intent, meetingId }
}

function nothingWritten() {
  return invalidInput('Please write something', { body: 'Please write something' })
}

/** The mail that is answered; null where only an address, and perhaps the mail's text, is given. */
async function repliedMailOrNull(
  context: Context,
  userId: number,
  input: Input,
): Promise<RepliedMail | null> {
  if (input.email_id != null || (input.original ?? '').trim() !== '')
    return repliedMail(context, userId, input)
  return null
}

/** The stored mail says where its answer goes; only without one the caller does. */
async function recipientOf(context: Context, answered: RepliedMail | null, { to }: Input): Promise<string> {
  const row = answered?.row ?? null
  if (row !== null) {
    if (row.direction === 'out') return row.to_line
    const body = await findBodyRow(context.db, row.user_id, row.id)
    if (body !== undefined && body.reply_to_line !== '') return body.reply_to_line
    if (row.from_address !== '') return row.from_address
  }
  if (to !== undefined) return to
  throw invalidInput('Please enter an email address', { to: 'Please enter an email address' })
}

/** One "Re:", whatever the caller or the answered mail has in front. */
function subjectOf({ subject }: Input, answered: RepliedMail | null): string {
  const given = subject?.trim() ?? ''
  const of = given === '' ? (answered?.subject.trim() ?? '') : given
  if (of === '') throw invalidInput('Please enter a subject', { subject: 'Please enter a subject' })
  return replySubject(of)
}

/** The meeting that is to be added: as the caller says, else as the proposed answer does. @throws Refusal 400 */
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
