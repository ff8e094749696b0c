import { Temporal } from 'temporal-polyfill'
import type { emails } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { findUser } from '../../../accounts/auth/auth.ts'
import { contactByAddress } from '../../../crm/contacts/contacts.ts'
import type { Context } from '../../../platform/context.ts'
import { invalidInput, unauthenticated } from '../../../platform/errors.ts'
import { modelFor } from '../../../models/language-models/language-models.ts'
import { addressKey, isSendable, parseAddressList } from '../../../formats/mail-text/addresses.ts'
import { firstName } from '../../../formats/mail-text/first-name.ts'
import { replySubject } from '../../../formats/mail-text/threading.ts'
import { followUpFromTemplate } from './reply-template.ts'
import { newestSentMail } from '../compose/compositions-store.ts'
import { senderOfUser, timesToOffer } from './preview-reply.ts'
import type { Caller } from '../compose/send-email.ts'
import { readConversation } from './conversation.ts'
import { generateReply } from './generate-reply.ts'
import { noteProposed } from './tone.ts'
import type { TextSource } from './written-text.ts'
import type { EmailRow } from '../messages/store.ts'

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
      : 'Write a short, polite follow-up to mail 1, which the user wrote himself and which has not been answered.'
  const model = await modelFor(context, caller.id)
  const written = model.available
    ? await generateReply(context, caller.id, model, {
        task,
        mails: last === undefined ? [] : await readConversation(context, caller.id, last.id),
        times: await timesToOffer(context, caller),
        mustOffer: false,
        sender,
        name,
        zone: caller.timeZone,
        now: context.clock.now(),
      })
    : null
  const facts = {
    name,
    sender,
    subject: last === undefined ? null : last.subject,
    ago: last === undefined ? null : formatDay(last.occurred_at, caller.timeZone),
  }
  const body = written?.body ?? followUpFromTemplate(facts)
  await noteProposed(context, caller.id, body)
  return {
    body,
    subject,
    to,
    contact_name: contactName,
    in_reply_to: last?.message_id ?? null,
    templated: written === null,
    sources: written?.sources ?? (last === undefined ? [] : [subjectSource(last)]),
  }
}

/** The template names the mail that was not answered. */
function subjectSource({ id, subject, occurred_at: at }: EmailRow): TextSource {
  const quote = subject || '(no subject)'
  return { line: quote, kind: 'email', email_id: id, writer: 'You', written_at: at.toISOString(), quote }
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
