import * as z from 'zod/mini'
import { plainAddress } from './local-part.ts'

/** Longest address that SMTP can carry (RFC 5321 4.5.3.1.3). */
export const EMAIL_ADDRESS_MAX = 254

/** A row's id: a positive integer below 2^53. */
export const id = z.coerce.number().check(z.int(), z.positive('This is not a valid id'))

/** The parameters of a call about one row. `why` is said of what cannot be an id. */
export const byIdOf = (why: string) =>
  z.object({ id: z.coerce.number(why).check(z.int(why), z.positive(why)) })

/** A whole number from 1 to `max` in a query. */
export const countUpTo = (max: number, otherwise: number) =>
  z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(max)), otherwise)

/** An instant: ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
export type Instant = string & { readonly isInstant?: never }
export const instant = z.string() as unknown as z.ZodMiniType<Instant, Instant>

// One "@", no blanks except in quotes (RFC 5322 3.4.1), a dot in the domain: all that a form can check. Only sending shows
// whether the mailbox exists.
const ADDRESS =
  /^(?:[^\s\p{C}@<>(),;:"\\]+|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])+")@[^\s\p{C}@<>(),;:"\\.]+(\.[^\s\p{C}@<>(),;:"\\.]+)+$/u

/** True for one plain e-mail address (`name@domain.tld`) that SMTP can carry. */
export function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_ADDRESS_MAX && ADDRESS.test(text)
}

/**
 * The length limit of a text or a list. It ends the checks of its field: without `abort` the ones after it would still read
 * what is too long, and some of them cost far more than its length.
 */
export function atMost(max: number, why?: string) {
  const says = ({ origin }: { origin: string }) =>
    origin === 'string' ? `Please keep this under ${max} characters` : `Please choose up to ${max}`
  return z.maxLength(max, { abort: true, error: why ?? says })
}

const NO_ADDRESS = 'Please enter a valid email address'

/** An e-mail address, trimmed, in the one form that it is stored and compared in. */
export const emailAddress = z
  .string()
  .check(
    z.trim(),
    atMost(EMAIL_ADDRESS_MAX, NO_ADDRESS),
    z.refine(isEmailAddress, NO_ADDRESS),
    z.overwrite(plainAddress),
  )

/** Removes what no text may contain: NUL, which PostgreSQL rejects, and lone surrogates. */
export const storable = z.overwrite<string>((text) => text.replaceAll('\0', '').toWellFormed())

/** Free text up to `max` characters, trimmed. */
export function text(max: number) {
  return z.string().check(storable, z.trim(), atMost(max))
}

/** Required free text; `why` is the sentence shown next to the field. */
export function requiredText(max: number, why: string) {
  return z.string().check(storable, z.trim(), z.minLength(1, why), atMost(max))
}

const ONE_LINE = 'Please use one line, without control characters'

// A tab is only a wide blank; other line ends and control characters have no place in a name.
const blankTabs = z.overwrite<string>((text) => text.replaceAll('\t', ' '))
const inOneLine = z.refine<string>((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), ONE_LINE)

/** {@link text} on one line: fit for a mail header. */
export function line(max: number) {
  return text(max).check(blankTabs, inOneLine)
}

/** {@link requiredText} on one line. */
export function requiredLine(max: number, why: string) {
  return requiredText(max, why).check(blankTabs, inOneLine)
}

// As browsers read an address: blanks and control characters at its beginning, tabs and line ends anywhere do not count.
const SCHEME = /^([a-z][a-z\d+-]*):/i

/** True for a link that may be opened: it has no scheme, as in `calendly.com/ada`, or is http or https. */
export function isSafeLink(typed: string): boolean {
  const scheme = SCHEME.exec(typed.replaceAll(/[\s\p{C}]/gu, ''))?.[1]?.toLowerCase()
  return scheme === undefined || scheme === 'http' || scheme === 'https'
}

/** A link of a profile, on one line: never one that runs a script or holds a page, such as `javascript:` or `data:`. */
export function link(max: number) {
  return line(max).check(z.refine(isSafeLink, 'Please enter a link that begins with https://'))
}

/** The page of a list. `page` counts from 1; without `page_size` a list returns up to 1,000 rows. */
export const paging = {
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000_000)), 1),
  page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
}

/** The zone used when a browser does not report its own. */
export const FALLBACK_ZONE = 'Asia/Kolkata'

/** True for an IANA zone that this runtime knows. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const timeZone = z.string().check(atMost(64), z.refine(isTimeZone, 'This time zone is not known'))
