import { domainToASCII } from 'node:url'
import { addressParser } from 'postal-mime'
import { withOpenParentheses, withPlainComments } from './comments.ts'
import { oneLine } from './words.ts'

/** One mailbox of a header. `name` may be empty; `address` is empty only if the header gave no usable one. */
export type Address = { name: string; address: string }

/** A longer address header is cut: no client writes 2,000 recipients into one header. */
const MAX_ADDRESS_HEADER_CHARS = 128_000
const MAX_ADDRESSES = 2_000
/** IDNA is slow, and most mail goes to few domains. */
const KNOWN_DOMAINS_MAX = 1000
const ASCII_DOMAINS = new Map<string, string>()
/** RFC 5321 4.5.3.1.3 leaves 254 for the path without its brackets; 4.5.3.1.1 gives the local part 64 octets. */
const MAX_ADDRESS_CHARS = 254
const MAX_LOCAL_PART_OCTETS = 64

const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const QUOTED_LOCAL_PART = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])+"$/
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The mailboxes of an address header (RFC 5322 3.4), with groups expanded, comments removed and encoded words
 * decoded. Entries without an address are kept only if they have a name and are not a group.
 */
export function parseAddressList(header: string): Address[] {
  const found: Address[] = []
  const read = withoutNestedGroups(withPlainComments(header.slice(0, MAX_ADDRESS_HEADER_CHARS)))
  for (const entry of addressParser(read)) {
    for (const mailbox of entry.group ?? [entry]) {
      const address = tidyAddress(mailbox.address ?? '')
      const name = withOpenParentheses(oneLine(mailbox.name))
      if (address !== '' || name !== '') found.push({ name: name === address ? '' : name, address })
      if (found.length >= MAX_ADDRESSES) return found
    }
  }
  return found
}

/** What ends a quoted string, a comment, an address and a group (RFC 5322 3.2.2, 3.2.4, 3.4). */
const ENDS: Readonly<Record<string, string>> = { '"': '"', '(': ')', '<': '>' }

/**
 * Removes groups inside groups: they do not exist (RFC 5322 3.4), and the library would read the whole header again
 * for each level, up to fifty ("a:a:a:…"). Their colons become blanks.
 */
function withoutNestedGroups(header: string): string {
  if (header.indexOf(':') === header.lastIndexOf(':')) return header
  let inGroup = false
  let end = ''
  let isEscaped = false
  const kept: string[] = []
  let from = 0
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    // The first one ends a group, wherever it is.
    if (inGroup && char === ';') [inGroup, end, isEscaped] = [false, '', false]
    else if (isEscaped) isEscaped = false
    else if (end === '"' && char === '\\') isEscaped = true
    else if (end !== '') end = char === end ? '' : end
    else if (char in ENDS) end = ENDS[char] ?? ''
    else if (char === ':') {
      if (inGroup) {
        kept.push(header.slice(from, at), ' ')
        from = at + 1
      }
      inGroup = true
    }
  }
  return kept.length === 0 ? header : kept.join('') + header.slice(from)
}

/** Removes blanks, control characters and unmatched brackets; text without "@" is no address. */
function tidyAddress(address: string): string {
  const plain = oneLine(address).replace(/[<>]/g, '').trim()
  // RFC 5322 4.4: an obsolete route precedes the address.
  const tidy = plain.replace(/^@[^:"]*:/, '').trim()
  return tidy.includes('@') ? tidy : ''
}

/** The normalized form of an address: trimmed, lower case, the domain in ASCII (IDNA). */
export function addressKey(address: string): string {
  const trimmed = address.trim()
  const at = trimmed.lastIndexOf('@')
  if (at < 0) return trimmed.toLowerCase()
  return `${trimmed.slice(0, at).toLowerCase()}@${asciiDomain(trimmed.slice(at + 1))}`
}

/** `address` as sent over the wire: the local part as typed, the domain in ASCII. */
export function wireAddress(address: string): string {
  const trimmed = address.trim()
  const at = trimmed.lastIndexOf('@')
  return at < 0 ? trimmed : `${trimmed.slice(0, at)}@${asciiDomain(trimmed.slice(at + 1))}`
}

/** A domain in lower-case ASCII; one that IDNA rejects is only lower-cased. */
export function asciiDomain(domain: string): string {
  const known = ASCII_DOMAINS.get(domain)
  if (known !== undefined) return known
  const lower = domain.trim().toLowerCase()
  // IDNA is very slow on text too long to be a domain.
  if (domain.length > MAX_ADDRESS_CHARS) return lower
  const ascii = domainToASCII(lower) || lower
  if (ASCII_DOMAINS.size >= KNOWN_DOMAINS_MAX) ASCII_DOMAINS.clear()
  ASCII_DOMAINS.set(domain, ascii)
  return ascii
}

/**
 * True for exactly one addr-spec that may be passed to an SMTP server: no display name, control characters or line
 * breaks, at most 254 characters, a host name of at least two labels (RFC 5321, RFC 6531).
 */
export function isSendable(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > MAX_ADDRESS_CHARS || !address.isWellFormed()) return false
  const localPart = address.slice(0, at)
  if (Buffer.byteLength(localPart) > MAX_LOCAL_PART_OCTETS) return false
  if (!DOT_ATOM.test(localPart) && !QUOTED_LOCAL_PART.test(localPart)) return false
  return isHostName(address.slice(at + 1))
}

function isHostName(domain: string): boolean {
  // What IDNA silently maps away (full-width dots, soft hyphens, blanks) must not reach the wire.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return false
  const labels = domainToASCII(domain.toLowerCase()).split('.')
  if (labels.length < 2 || labels.join('.').length > 253) return false
  return labels.every((label) => HOST_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** `Name <address>` for people to read; the name is quoted where RFC 5322 requires it. Always one line. */
export function formatAddress({ name, address }: Address): string {
  const plain = oneLine(name)
  const reachable = oneLine(address).replace(/[<>\s]/g, '')
  if (plain === '') return reachable
  return `${/^[\p{L}\p{M}\p{N} '_-]+$/u.test(plain) ? plain : quoted(plain)} <${reachable}>`
}

/** An RFC 5322 quoted-string. */
export function quoted(words: string): string {
  return `"${words.replace(/["\\]/g, '\\$&')}"`
}
