import { addressKey, wireAddress, type Address } from '../../formats/mail-text/addresses.ts'
import { composeMail, UnsendableAddress } from '../../formats/mail-text/compose.ts'
import type { ParsedMail } from '../../formats/mail-text/parse.ts'
import { replyHeaders, replySubject } from '../../formats/mail-text/threading.ts'
import { answerWords, closingWords, type Facts } from './answer-words.ts'
import { composeBounce } from './compose-bounce.ts'
import { hashOf, type Manner, nameFrom } from './people.ts'

/** Marks mails of invented people, so that a reply to one of them is recognised. */
const ID_MARK = 'practice-'

/** How much of the mail is quoted below its answer. */
const QUOTED_LINES = 30
const QUOTED_CHARS = 2000

/** A conversation with an invented person ends after this many mails. */
const MAX_TALK = 6

/** A mail as the practice server accepted it, parsed. */
export type Received = { mail: ParsedMail; raw: Buffer }

/**
 * The answer of the person behind `address`, as it arrives at `at`; null when there is none. Automatic mails are
 * never answered, and the same mail always gets the same answer with the same Message-ID.
 */
export async function composeAnswer(
  { mail, raw }: Received,
  address: string,
  manner: Manner,
  at: Date,
): Promise<Buffer | null> {
  const to = mail.replyTo[0] ?? mail.from
  if (manner === 'silent' || to === null || isFromMachine(mail)) return null
  const messageId = idOf(mail, address)
  if (manner === 'bounce') return composeBounce({ raw, address, to: to.address, messageId, at })
  try {
    return await composeWords(mail, address, manner, to, messageId, at)
  } catch (error) {
    if (error instanceof UnsendableAddress) return null
    throw error
  }
}

async function composeWords(
  mail: ParsedMail,
  address: string,
  manner: Exclude<Manner, 'bounce' | 'silent'>,
  to: Address,
  messageId: string,
  at: Date,
): Promise<Buffer | null> {
  const talking = mail.inReplyTo.some((id) => id.startsWith(ID_MARK))
  if (
    talking &&
    (mail.references.length > MAX_TALK || manner === 'not_interested' || manner === 'unsubscribe')
  ) {
    return null
  }
  const person = personOf(mail, address)
  const facts: Facts = { sender: firstName(to.name), person: person.name, day: dayAfter(at) }
  const pick = hashOf('words', mail.messageId ?? '', addressKey(address))
  const automatic = manner === 'out_of_office'
  const words = talking && !automatic ? closingWords(facts, pick) : answerWords(manner, facts, pick)
  const { inReplyTo, references } = replyHeaders(mail)
  const { raw } = await composeMail({
    messageId,
    date: at,
    from: person,
    to: [to],
    subject: automatic ? `Automatic reply: ${mail.subject}` : replySubject(mail.subject),
    text: automatic ? words : `${words}\n\n${quotedBelow(mail, to)}`,
    references,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(automatic ? { autoSubmitted: 'auto-replied' } : {}),
  })
  return raw
}

/** RFC 3834 2: automatic mail is not answered automatically. */
function isFromMachine(mail: ParsedMail): boolean {
  return mail.autoSubmitted !== undefined && mail.autoSubmitted !== 'no'
}

function idOf(mail: ParsedMail, address: string): string {
  const domain = wireAddress(address).split('@').at(-1) ?? 'localhost'
  const once = [mail.messageId ?? mail.text, addressKey(address)]
  return `${ID_MARK}${hashOf('id', ...once).toString(36)}${hashOf('id again', ...once).toString(36)}@${domain}`
}

function personOf(mail: ParsedMail, address: string): Address {
  const key = addressKey(address)
  const named = [...mail.to, ...mail.cc].find((each) => each.name !== '' && addressKey(each.address) === key)
  return { name: named?.name ?? nameFrom(address), address }
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}

/** A working day, three to five days ahead. */
function dayAfter(at: Date): string {
  const day = new Date(at.getTime() + 3 * 86_400_000)
  while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1)
  return new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(day)
}

function quotedBelow(mail: ParsedMail, writer: Address): string {
  const lines = mail.text.slice(0, QUOTED_CHARS).trimEnd().split('\n').slice(0, QUOTED_LINES)
  const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    mail.date ?? new Date(0),
  )
  const who =
    mail.date === undefined
      ? `${writer.name || writer.address} wrote:`
      : `On ${when}, ${writer.name || writer.address} wrote:`
  return [who, ...lines.map((line) => (line === '' ? '>' : `> ${line}`))].join('\n')
}
