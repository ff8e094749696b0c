import * as z from 'zod/mini'
import type { textSource } from '#contract/mail/email-writing.ts'
import { type Intent, INTENTS } from '#contract/mail/emails.ts'
import { type Given, inventedFact, saysTime } from '../../../formats/mail-text/said-facts.ts'
import type { WrittenMail } from './conversation.ts'
import type { Sender } from './reply-template.ts'

const BODY_MIN = 20
const BODY_MAX = 4000
/** Sources that a model may name, and characters of a quote. */
const SOURCES_MAX = 12
const QUOTE_MIN = 3
const QUOTE_MAX = 300

/** What a language model answers. Its sources are checked one by one, and a wrong one is only left out. */
export const generatedReply = z.object({
  body: z.string().check(z.minLength(BODY_MIN), z.maxLength(BODY_MAX)),
  intent: z.enum(INTENTS),
  sources: z.optional(z.array(z.unknown())),
})

/** A free time that may be offered, and how it is said. */
export type OfferedTime = { start: Date; end: Date; words: string }

/** What a text may rest on. */
export type Grounds = {
  mails: readonly WrittenMail[]
  times: readonly OfferedTime[]
  /** The text has to offer one of the times. */
  mustOffer: boolean
  sender: Sender
  name: string
  zone: string
  now: Date
}

export type TextSource = z.infer<typeof textSource>

export type GeneratedReply = { body: string; intent: Intent; sources: TextSource[] }

/** Why a text cannot be sent under somebody's name; null if it can. */
export function problemOf(body: string, grounds: Grounds): string | null {
  if (
    /\{\{|\}\}|\[(your|my|company|name|first|last|insert|recipient|position|title|date|time)[^\]]*\]/i.test(
      body,
    )
  )
    return 'a placeholder'
  if (/https?:|www\.|\b[\w-]+\.(?:com|net|org|io|example|info|biz|ru|cn)\b|\S@\S/i.test(body))
    return 'a link or an address'
  if (/<\/?[a-z][^>]*>/i.test(body)) return 'markup'
  if (/\b(as an ai|language model|i cannot assist|i can't assist|system prompt|----- data)\b/i.test(body))
    return 'not a mail'
  const invented = inventedFact(body, givenIn(grounds))
  if (invented !== null) return `${invented}, which was given nowhere`
  const { times, mustOffer, zone } = grounds
  if (mustOffer && !times.some(({ start }) => saysTime(body, start, zone))) return 'none of the given times'
  return null
}

function givenIn({ mails, times, sender, name, zone, now }: Grounds): Given {
  const ours = [sender.name, sender.role, sender.company, name, ...times.map(({ words }) => words)].join('\n')
  return {
    texts: [
      { text: ours, at: now },
      ...mails.map(({ subject, writer, words, at }) => ({ text: `${writer}\n${subject}\n${words}`, at })),
    ],
    zone,
  }
}

const claimed = z.object({
  line: z.string(),
  of: z.string(),
  quote: z.string(),
})

/**
 * The sources that a model names for its text, as far as they are true: the line stands in the text, and the quote in the
 * mail, the time or the profile that is named.
 */
export function trueSources(
  body: string,
  named: readonly unknown[],
  { mails, times, sender }: Grounds,
): TextSource[] {
  return named.slice(0, SOURCES_MAX).flatMap((one): TextSource[] => {
    const { success, data } = z.safeParse(claimed, one)
    if (!success) return []
    const line = data.line.trim()
    const quote = data.quote.trim()
    const isShort = quote.length < QUOTE_MIN || quote.length > QUOTE_MAX || line.length < QUOTE_MIN
    if (isShort || !stands(line, body)) return []
    const none = { line, email_id: null, writer: '', written_at: null }
    const number = /^mail\s?(\d{1,3})$/i.exec(data.of.trim())?.[1]
    if (number !== undefined) {
      const mail = mails[Number(number) - 1]
      if (mail === undefined || !stands(quote, `${mail.subject}\n${mail.words}`)) return []
      const { emailId, writer, at } = mail
      return [{ line, kind: 'email', email_id: emailId, writer, written_at: at.toISOString(), quote }]
    }
    if (/^times?$/i.test(data.of.trim())) {
      const time = times.find(({ words }) => stands(quote, words))
      return time === undefined ? [] : [{ ...none, kind: 'time', quote: time.words }]
    }
    const isProfile = [sender.name, sender.role, sender.company].some(
      (own) => own !== '' && stands(quote, own),
    )
    return isProfile && /^(sender|profile)$/i.test(data.of.trim())
      ? [{ ...none, kind: 'profile', quote }]
      : []
  })
}

/** Whether words stand in a text, whatever its line breaks, case and quotation marks are. */
const stands = (words: string, text: string) => plain(text).includes(plain(words))

const plain = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/[“”„«»"]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
