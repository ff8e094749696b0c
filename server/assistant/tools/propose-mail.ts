import * as z from 'zod/mini'
import type { Proposal } from '#contract/assistant/assistant.ts'
import { SUBJECT_MAX } from '#contract/mail/emails.ts'
import { shownMailbox } from '#contract/formats/shown-sender.ts'
import { typedInstant } from '#contract/platform/typed-instant.ts'
import { id, requiredLine, requiredText } from '#contract/platform/values.ts'
import {
  accountToSendBy,
  connectedMailbox,
  findListed,
  previewFollowUp,
  repliedRecipient,
  saveDraft,
  senderFor,
  sendEmail,
} from '../../mail/emails/emails.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import { withoutModel } from '../../models/language-models/language-models.ts'
import {
  addressKey,
  formatAddress,
  parseAddressList,
  wireAddress,
} from '../../formats/mail-text/addresses.ts'
import { replySubject, tidySubject } from '../../formats/mail-text/threading.ts'
import { inOneTransaction } from './in-one-transaction.ts'
import { seenText } from '../../formats/mail-text/seen-text.ts'
import { shownWords, spanWords } from './shown-words.ts'
import { mailableContact, sameContact } from './stored-contact.ts'
import { type Asking, proposingTool } from './tool.ts'

/** Characters of a mail that Wolfy writes. */
const BODY_MAX = 20_000

const subject = requiredLine(SUBJECT_MAX, 'Please enter a subject')
const body = requiredText(BODY_MAX, 'Please write something')

/** A mail as it will leave. */
export type MailContent = {
  /** The contact, or the mail that is answered, whose stored address this is. */
  contact_id: number | null
  email_id: number | null
  /** The account that it leaves by; null for a draft, and while none is connected. */
  from: { mailbox_id: number; address: string } | null
  to: string
  subject: string
  body: string
  in_reply_to: string | null
  /** Who wrote the mail that is answered, and when: it is quoted below. */
  quoted: { from: string; at: string } | null
  /** The sender of that mail, where the answer goes to another address. */
  instead_of: string | null
  schedule_at: string | null
  time_zone: string
}

const toContact = z.object({
  contact_id: id,
  subject,
  body,
  /** An ISO instant; left out, at once. */
  schedule_at: z.optional(z.nullable(typedInstant)),
  /** It refers to the last mail that was sent to them. */
  follow_up: z.optional(z.boolean()),
})
const answer = z.object({ email_id: id, body })

async function contentToContact(asking: Asking, input: z.output<typeof toContact>): Promise<MailContent> {
  const contact = await mailableContact(asking, input.contact_id)
  if (input.schedule_at != null && new Date(input.schedule_at) <= asking.context.clock.now())
    throw invalidInput('This time is over already. Please choose a later one.', {
      schedule_at: 'This time is over already.',
    })
  const last = input.follow_up === true ? await followUpTo(asking, contact.email) : null
  return {
    contact_id: contact.id,
    email_id: null,
    from: null,
    to: contact.email,
    subject: last === null ? input.subject : tidySubject(input.subject),
    body: input.body,
    in_reply_to: last?.in_reply_to ?? null,
    quoted: null,
    instead_of: null,
    schedule_at: input.schedule_at == null ? null : new Date(input.schedule_at).toISOString(),
    time_zone: asking.user.timeZone,
  }
}

/** What the house's template writes as a follow-up to an address. */
export async function followUpTo({ context, user }: Asking, address: string) {
  return previewFollowUp(withoutModel(context), user, address)
}

async function answerContent(asking: Asking, input: z.output<typeof answer>): Promise<MailContent> {
  const { db } = asking.context
  const mail = await findListed(db, asking.user.id, input.email_id)
  if (mail === undefined) throw notFound('Email not found')
  const to = seenText(await repliedRecipient(db, mail))
  const recipients = parseAddressList(to)
  if (recipients.length === 0) throw invalidInput('This mail has no address that an answer could go to.')
  return {
    contact_id: null,
    email_id: mail.id,
    from: null,
    to,
    subject: seenText(replySubject(mail.subject)),
    body: input.body,
    in_reply_to: mail.message_id,
    quoted: {
      from: seenText(formatAddress({ name: mail.from_name, address: mail.from_address })),
      at: mail.occurred_at.toISOString(),
    },
    instead_of:
      mail.direction === 'out' ||
      recipients.every(({ address }) => addressKey(address) === addressKey(mail.from_address))
        ? null
        : mail.from_address,
    schedule_at: null,
    time_zone: asking.user.timeZone,
  }
}

/** With the account that it leaves by: what the user approves is not sent by another one. */
async function fromAccount({ context, user }: Asking, content: MailContent): Promise<MailContent> {
  const account = await accountToSendBy(context.db, user.id, content.in_reply_to)
  return { ...content, from: account === null ? null : { mailbox_id: account.id, address: account.address } }
}

/**
 * The account that was shown, where it still sends as the same address; null where none was shown.
 *
 * @throws Refusal 409 where another one would; 400 SMTP_NOT_CONFIGURED where none can
 */
async function shownAccount({ context, user }: Asking, { from }: MailContent): Promise<number | null> {
  if (from == null) return null
  const account = await connectedMailbox(context.db, user.id, from.mailbox_id)
  if (account?.address === from.address) return account.id
  await senderFor(context, user.id, null)
  throw conflict('The account that this mail was to leave by has changed since. Please ask again.')
}

/** The recipient is still the one that was shown. @throws Refusal 404, 409 */
async function checkRecipient(asking: Asking, content: MailContent): Promise<void> {
  if (content.contact_id !== null) await sameContact(asking, content.contact_id, content.to)
  if (content.email_id === null) return
  const mail = await findListed(asking.context.db, asking.user.id, content.email_id)
  if (mail === undefined) throw notFound('Email not found')
  if (seenText(await repliedRecipient(asking.context.db, mail)) !== content.to)
    throw conflict('The address that this answer goes to has changed since. Please ask again.')
}

function lines(content: MailContent): Proposal['lines'] {
  const { schedule_at: at, quoted, instead_of: sender } = content
  return [
    { label: 'To', text: toLine(content.to) },
    ...(sender === null
      ? []
      : [
          { label: 'Note', text: `The mail came from ${sender}, but asks for answers to the address above.` },
        ]),
    { label: 'Subject', text: content.subject },
    ...(at === null ? [] : [{ label: 'Leaves', text: leaves(at, content.time_zone) }]),
    { label: 'Text', text: content.body },
    ...(quoted === null
      ? []
      : [
          {
            label: 'Quoted below',
            text: `The mail of ${quoted.from} of ${leaves(quoted.at, content.time_zone)}`,
          },
        ]),
  ]
}

/** In full, and with the real host where an address is written in letters that look like others. */
function toLine(to: string): string {
  const real = parseAddressList(to)
    .map(({ address }) => wireAddress(address))
    .filter((address) => address.includes('@xn--') || address.includes('.xn--'))
  return real.length === 0 ? to : `${to} (in plain letters: ${real.join(', ')})`
}

const leaves = (at: string, zone: string) =>
  spanWords(new Date(at), new Date(at), zone).replace(/ to [\d:]+ /, ' ')
const toName = ({ to }: MailContent) => shownWords(parseAddressList(to).map(shownMailbox).join(', '), 80)

const sending = {
  lines: (content: MailContent): Proposal['lines'] => [
    ...(content.from == null ? [] : [{ label: 'From', text: content.from.address }]),
    ...lines(content),
  ],
  async perform(asking: Asking, content: MailContent, settlement: Parameters<typeof inOneTransaction>[1]) {
    await checkRecipient(asking, content)
    const mailboxId = await shownAccount(asking, content)
    if (content.schedule_at !== null && new Date(content.schedule_at) <= asking.context.clock.now())
      throw conflict('The time to send this is over. Please edit it, or ask again.')
    await sendEmail(
      asking.context,
      asking.user,
      {
        to: content.to,
        subject: content.subject,
        content: content.body,
        in_reply_to: content.in_reply_to,
        schedule_at: content.schedule_at,
        quote_of: content.email_id,
        mailbox_id: mailboxId,
      },
      async (tx, emailId) => {
        await settlement.claim(tx)
        const folder = content.schedule_at === null ? 'sent' : 'scheduled'
        await settlement.done(tx, {
          label: folder === 'sent' ? `Sent to ${toName(content)}` : `Scheduled to ${toName(content)}`,
          path: `/emails?folder=${folder}&email=${emailId}`,
        })
      },
    )
  },
}
const drafting = {
  lines,
  async perform(asking: Asking, content: MailContent, settlement: Parameters<typeof inOneTransaction>[1]) {
    await checkRecipient(asking, content)
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const { id: draft } = await saveDraft(context, user.id, {
        to: content.to,
        subject: content.subject,
        content: content.body,
        in_reply_to: content.in_reply_to,
        quote_of: content.email_id,
      })
      return { label: 'Draft', path: `/emails?folder=drafts&email=${draft}` }
    })
  },
}

export const sendEmailTool = proposingTool({
  name: 'send_email',
  topics: ['mail'],
  summary: 'Send an email to a contact, now or at schedule_at',
  input: toContact,
  editable: ['subject', 'body', 'schedule_at'],
  prepare: async (asking: Asking, input: z.output<typeof toContact>) =>
    fromAccount(asking, await contentToContact(asking, input)),
  summarise: (content: MailContent) =>
    content.schedule_at === null
      ? `Send an email to ${toName(content)}`
      : `Schedule an email to ${toName(content)}`,
  ...sending,
})

export const draftEmailTool = proposingTool({
  name: 'draft_email',
  topics: ['mail'],
  summary: 'Keep an email to a contact as a draft',
  input: z.object({ contact_id: id, subject, body }),
  editable: ['subject', 'body'],
  prepare: contentToContact,
  summarise: (content: MailContent) => `Keep a draft to ${toName(content)}`,
  ...drafting,
})

export const sendReplyTool = proposingTool({
  name: 'send_reply',
  topics: ['mail'],
  summary: 'Answer a mail; it goes to the address that the mail names',
  input: answer,
  editable: ['body'],
  prepare: async (asking: Asking, input: z.output<typeof answer>) =>
    fromAccount(asking, await answerContent(asking, input)),
  summarise: (content: MailContent) => `Answer ${toName(content)}`,
  ...sending,
})

export const draftReplyTool = proposingTool({
  name: 'draft_reply',
  topics: ['mail'],
  summary: 'Keep an answer to a mail as a draft',
  input: answer,
  editable: ['body'],
  prepare: answerContent,
  summarise: (content: MailContent) => `Keep a draft of an answer to ${toName(content)}`,
  ...drafting,
})
