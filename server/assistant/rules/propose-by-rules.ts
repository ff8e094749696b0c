import { CURRENCIES } from '#contract/invoicing/money.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { previewReply } from '../../mail/emails/emails.ts'
import { withoutModel } from '../../models/language-models/language-models.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'
import { followUpTo } from '../tools/propose-mail.ts'
import { shownWords } from '../tools/shown-words.ts'
import { emailSource } from '../tools/sources.ts'
import type { Asking } from '../tools/tool.ts'
import { cite, propose } from './answer.ts'
import { lastMailFrom } from './answer-people.ts'
import { withoutTime } from './propose-task-by-rules.ts'
import { saidTime } from './said-time.ts'
import { cleanName, whoIs } from './who.ts'
import type { RuleCall } from './rule-call.ts'

/** A contact from the words of the sentence: an address, a name before it, "of" or "at" a company. */
export async function proposeContact({ asking, answer, question }: RuleCall): Promise<void> {
  const said = question.named['what'] ?? ''
  const address = said
    .split(/[\s,<>()]+/)
    .map((word) => word.replace(/[.;:]+$/, ''))
    .find(isEmailAddress)
  if (address === undefined)
    return void answer.lines.push('Please give me the address too: “Add contact Ann Lee ann@example.com”.')
  const rest = said
    .replace(address, ' ')
    .replaceAll(/[<>(),]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/\b(?:with (?:the )?)?(?:e-?mail|mail|address)(?: address)?\b:?/gi, ' ')
    .trim()
  const company = /\b(?:at|from|of)\s+(?<company>\S.*)$/i.exec(rest)?.groups?.['company']
  const phone = /(?<phone>\+?\d[\d\s/-]{6,}\d)/.exec(rest)?.groups?.['phone']
  const name = cleanName(
    rest
      .replace(/\b(?:at|from|of)\s+\S.*$/i, '')
      .replace(phone ?? '\0', '')
      .replace(/\bphone\b:?/i, '')
      .replaceAll(/\s+/g, ' '),
  )
  await propose(asking, answer, 'add_contact', {
    name: name === '' ? (address.split('@')[0] ?? address) : name,
    email: address,
    ...(company === undefined ? {} : { company: company.replace(phone ?? '\0', '').trim() }),
    ...(phone === undefined ? {} : { phone: phone.trim() }),
  })
  answer.lines.push('I would add this contact:')
}

const FIELDS: readonly [string, RegExp][] = [
  ['email', /^(?:e-?mail(?: address)?|address)$/i],
  ['phone', /^(?:(?:phone|mobile)(?: number)?|number)$/i],
  ['position', /^(?:position|job title|title)$/i],
  ['notes', /^notes?$/i],
  ['company', /^company$/i],
  ['status', /^status$/i],
  ['name', /^name$/i],
]

/** One field of a contact. */
export async function proposeContactChange({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { who = '', field = '', value = '' } = question.named
  const contact = await whoIs(asking, answer, cleanName(who), subject)
  const column = FIELDS.find(([, said]) => said.test(field))?.[0]
  if (contact === null || column === undefined) return
  const written = value.replaceAll(/[“”"]/g, '').trim()
  await propose(asking, answer, 'change_contact', {
    contact_id: contact.id,
    [column]: column === 'status' ? written.toLowerCase() : written,
  })
  answer.lines.push('I would change this contact:')
}

/** No more mail to a contact. */
export async function proposeStop({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const contact = await whoIs(asking, answer, cleanName(question.named['who'] ?? ''), subject)
  if (contact === null) return
  await propose(asking, answer, 'stop_mailing', { contact_id: contact.id })
  answer.lines.push('I would stop all mail to this address:')
}

/** A follow-up from the template. */
export async function proposeFollowUp({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const said = (question.named['who'] ?? '').replace(/\s+(?:about|on|regarding)\s+.*$/i, '')
  const contact = await whoIs(asking, answer, cleanName(said), subject)
  if (contact === null) return
  const written = await followUpTo(asking, contact.email)
  await propose(asking, answer, 'send_email', {
    contact_id: contact.id,
    subject: written.subject,
    body: written.body,
    follow_up: true,
  })
  answer.lines.push('I would send this follow-up. It is written from a template; you can edit it:')
}

/** An answer to the last mail of somebody: in the words that were said, else from the template. */
export async function proposeReply({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { context, user } = asking
  const contact = await whoIs(asking, answer, cleanName(question.named['who'] ?? ''), subject)
  if (contact === null) return
  const name = shownWords(contact.name || contact.email, 80)
  const mail = await lastMailFrom(asking, contact.email)
  if (mail === undefined) return void answer.lines.push(`There is no mail from ${name} to answer.`)
  const said = question.named['body']
  const body =
    said === undefined
      ? (await previewReply(withoutModel(context), user, { email_id: mail.id })).body
      : await letter(asking, contact, said)
  await propose(asking, answer, 'send_reply', { email_id: mail.id, body })
  answer.lines.push(
    `I would answer the last mail of ${name}, “${shownWords(mail.subject, 80)}”${cite(answer.sources, emailSource(mail))}.${said === undefined ? ' The text is from a template; you can edit it:' : ''}`,
  )
}

/** A mail in the words that were said. Rules write no text of their own. */
export async function proposeMail({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { context, user } = asking
  const { who = '', about, ask, verb = '' } = question.named
  const said = question.named['body'] ?? (ask === undefined ? undefined : `I wanted to ask ${ask}`)
  const time = said === undefined ? saidTime(who, context.clock.now(), user.timeZone) : null
  const contact = await whoIs(asking, answer, cleanName(withoutTime(who, time?.words)), subject)
  if (contact === null) return
  if (said === undefined && about === undefined)
    return void answer.lines.push(
      `Please tell me what to write: “Write to ${shownWords(contact.name, 60)} about the offer: I can send it on Monday.”`,
    )
  const name = /^draft/i.test(verb) ? 'draft_email' : 'send_email'
  const topic = (about ?? firstWords(said ?? '')).replace(/[.!?]+$/, '')
  const words =
    said ??
    `I am writing to you about ${topic}.\n\nWould you have a few minutes this week or next for a short call?`
  await propose(asking, answer, name, {
    contact_id: contact.id,
    subject: topic.charAt(0).toUpperCase() + topic.slice(1),
    body: await letter(asking, contact, words),
  })
  answer.lines.push(
    name === 'send_email'
      ? 'I would send this mail. Please read it; you can edit it:'
      : 'I would keep this mail as a draft:',
  )
}

const firstWords = (text: string) => text.split(/\s+/).slice(0, 6).join(' ')

async function letter({ context, user }: Asking, contact: { name: string; email: string }, said: string) {
  const sender = await findUser(context.db, user.id)
  const name = firstName({ name: contact.name, email: contact.email })
  const words = said.trim()
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return [
    `Hello${name === '' ? '' : ` ${name}`},`,
    '',
    /[.!?…]$/.test(text) ? text : `${text}.`,
    '',
    'Kind regards,',
    sender?.name ?? '',
  ]
    .join('\n')
    .trimEnd()
}

const AMOUNT =
  /(?<before>[$€£₹¥]|\b[A-Z]{3}\b)?\s*(?<amount>\d{1,3}(?:[,\s]\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)\s*(?<after>[$€£₹¥]|\b[A-Za-z]{3}\b|euros?|dollars?|pounds?|rupees?)?/
const SIGNS: Record<string, string> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '¥': 'JPY',
  euro: 'EUR',
  dollar: 'USD',
  pound: 'GBP',
  rupee: 'INR',
}

/** A draft of an invoice: for whom, how much, for what. */
export async function proposeInvoice({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const { what: described, whom, sum = '' } = question.named
  const said = described ?? sum
  const found = AMOUNT.exec(said)
  const who =
    whom ??
    /\b(?:for|to)\s+(?<who>.+?)(?=\s+(?:of|for|over|about|worth|with|amounting)\b|\s+[$€£₹¥]?\d|,|$)/i.exec(
      said,
    )?.groups?.['who'] ??
    ''
  const contact = await whoIs(asking, answer, cleanName(who), subject)
  if (contact === null) return
  const amount = found?.groups?.['amount']?.replaceAll(/[,\s]/g, '')
  if (amount === undefined)
    return void answer.lines.push(
      `Please tell me the amount: “Draft an invoice for ${shownWords(contact.name, 60)} of 500 EUR for consulting”.`,
    )
  const sign = (found?.groups?.['before'] ?? found?.groups?.['after'] ?? '').replace(/s$/i, '')
  const code = SIGNS[sign.toLowerCase()] ?? sign.toUpperCase()
  const behind = said.slice((found?.index ?? 0) + (found?.[0].length ?? 0))
  const what = /\bfor\s+(?<what>.+?)(?:,?\s+due\b.*)?$/i.exec(behind)?.groups?.['what']?.trim()
  const due = /\bdue\s+(?<due>.+)$/i.exec(said)?.groups?.['due']
  const day = due === undefined ? null : saidTime(due, asking.context.clock.now(), asking.user.timeZone)
  await propose(asking, answer, 'draft_invoice', {
    contact_id: contact.id,
    items: [{ description: what ?? 'Services', unit_price: amount }],
    ...(CURRENCIES.some((each) => each.code === code) ? { currency: code } : {}),
    ...(day === null ? {} : { due_date: day.day }),
  })
  answer.lines.push('I would keep this draft of an invoice:')
}
