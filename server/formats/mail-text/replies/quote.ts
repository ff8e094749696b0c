import { Temporal } from 'temporal-polyfill'
import { sanitizeOutgoingHtml } from '../sanitize-outgoing.ts'
import { oneLine } from '../../../platform/text.ts'

/** The text of a mail being written. */
export type Words = { text: string; html: string | null }

/** A mail that is quoted below another one. */
export type Original = Words & {
  /** Display name, or the address if there is none; empty for a mail without a sender. */
  author: string
  /** The line of senders; empty for a mail without any. */
  from: string
  to: string
  subject: string
  at: Date
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** The text with the mail it answers below, each line of it quoted. */
export function withQuote(own: Words, original: Original, timeZone: string): Words {
  const author = oneLine(original.author)
  const attribution = `On ${dateLine(original.at, timeZone)}${author === '' ? '' : `, ${author} wrote`}:`
  const quoted = original.text
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : line === '' ? '>' : `> ${line}`))
    .join('\n')
  return {
    text: `${own.text.trimEnd()}\n\n${attribution}\n${quoted}`,
    html:
      own.html === null
        ? null
        : `${own.html}<p>${escaped(attribution)}</p><blockquote type="cite" style="margin: 0 0 0 0.8em; border-left: 2px solid #ccc; padding-left: 0.8em">${htmlOf(original)}</blockquote>`,
  }
}

/** The text with a forwarded mail below, unchanged. */
export function withForwarded(own: Words, original: Original, timeZone: string): Words {
  const lines = [
    '---------- Forwarded message ----------',
    ...(original.from.trim() === '' ? [] : [`From: ${oneLine(original.from)}`]),
    `Date: ${dateLine(original.at, timeZone)}`,
    `Subject: ${oneLine(original.subject)}`,
    `To: ${oneLine(original.to)}`,
  ]
  const isPlain = own.html === null && original.html === null
  return {
    text: `${own.text.trimEnd()}\n\n${lines.join('\n')}\n\n${original.text}`,
    html: isPlain
      ? null
      : `${own.html ?? paragraphs(own.text)}<p>${lines.map(escaped).join('<br>')}</p><div>${htmlOf(original)}</div>`,
  }
}

/** "3 November 2026 at 10:12", in the writer's time zone. */
function dateLine(at: Date, timeZone: string): string {
  const { day, month, year, hour, minute } = Temporal.Instant.fromEpochMilliseconds(
    at.getTime(),
  ).toZonedDateTimeISO(timeZone)
  return `${day} ${MONTHS[month - 1]} ${year} at ${two(hour)}:${two(minute)}`
}

const two = (value: number) => String(value).padStart(2, '0')

function htmlOf({ html, text }: Words): string {
  const clean = html === null ? '' : sanitizeOutgoingHtml(html)
  return clean === '' ? paragraphs(text) : clean
}

/** Plain text as HTML that looks the same. */
export function paragraphs(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)
    .map((part) => `<p>${escaped(part).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
