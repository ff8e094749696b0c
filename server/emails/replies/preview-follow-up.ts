import { Temporal } from 'temporal-polyfill'
import type { emails } from '#contract/emails.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { findUser } from '../../auth/auth.ts'
import { contactByAddress } from '../../contacts/contacts.ts'
import type { Context } from '../../context.ts'
import { invalidInput, unauthenticated } from '../../errors.ts'
import { addressKey, isSendable, parseAddressList } from '../../mail/addresses.ts'
import { firstName } from '../../mail/first-name.ts'
import { replySubject } from '../../mail/threading.ts'
import { followUpFromTemplate } from './reply-template.ts'
import { newestSentMail } from '../compose/compositions-store.ts'
import { runMailTask } from '../../worker-threads/run-mail-task.ts'
import { senderOfUser } from './preview-reply.ts'
import { findBodyRow } from '../messages/store.ts'
import type { Caller } from '../compose/send-email.ts'
import { generateReply } from './generate-reply.ts'

const NO_ADDRESS = 'Please enter an email address to generate follow-up'
const INVALID = 'Please enter a valid email address'

/**
 * Proposes a follow-up to the user's last mail to an address; nothing is sent.
 *
 * @throws Refusal 400 without a valid address
 */
export async function previewFollowUp(
  context: Context,
  caller: Caller,
  typed: string,
): Promise<ReplyOf<typeof emails.followUpPreview>> {
  const { to, typedName } = recipientOf(typed)
  const user = await findUser(context.db, caller.id)
  if (user === undefined) throw unauthenticated()
  const key = addressKey(to)
  const contact = await contactByAddress(context.db, caller.id, key)
  const contactName = contact?.name || typedName
  const last = await newestSentMail(context.db, caller.id, key)
  const lastText = last === undefined ? '' : ((await findBodyRow(context.db, caller.id, last.id))?.text ?? '')
  const sender = senderOfUser(user)
  const name = firstName({ name: contactName, email: to })
  const subject =
    last === undefined
      ? sender.company === ''
        ? 'Getting in touch'
        : `Getting in touch: ${sender.company}`
      : replySubject(last.subject)
  const task =
    last === undefined
      ? 'Write a short first mail to this person that asks for a short call.'
      : 'Write a short, polite follow-up to the mail below, which the sender wrote himself and which has not been answered.'
  const written = await generateReply(
    context,
    { task, sender, name, subject: last?.subject ?? '' },
    await runMailTask({ userId: caller.id }, 'newWords', lastText),
  )
  const facts = {
    name,
    sender,
    subject: last === undefined ? null : last.subject,
    ago: last === undefined ? null : formatDay(last.occurred_at, caller.timeZone),
  }
  return {
    body: written?.body ?? followUpFromTemplate(facts),
    subject,
    to,
    contact_name: contactName,
    in_reply_to: last?.message_id ?? null,
    templated: written === null,
  }
}

function recipientOf(typed: string): { to: string; typedName: string } {
  if (typed.trim() === '') throw invalidInput(NO_ADDRESS, { to: NO_ADDRESS })
  const entries = parseAddressList(typed)
  const [only] = entries
  if (only === undefined || entries.length > 1 || !isSendable(only.address))
    throw invalidInput(INVALID, { to: INVALID })
  return { to: only.address, typedName: only.name }
}

/** "3 November". */
function formatDay(at: Date, timeZone: string): string {
  const when = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return `${when.day} ${when.toLocaleString('en-GB', { month: 'long' })}`
}
