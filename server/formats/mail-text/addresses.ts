import { domainToASCII } from 'node:url'
import { decodeWords } from 'postal-mime'
import { DOT_ATOM, plainAddress, QUOTED_LOCAL_PART, quoted } from '#contract/platform/local-part.ts'
import { type AddressToken, addressTokens } from './address-tokens.ts'
import { hasWords, oneLine } from '../../platform/text.ts'

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

const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The mailboxes of an address header (RFC 5322 3.4), with groups opened and comments removed. Encoded words are decoded
 * last, in names only: what they say is never an address (RFC 2047 5). A local part keeps the quotes that it needs.
 * Entries without an address are kept only if they have a name and are not a group.
 */
export function parseAddressList(header: string): Address[] {
  const tokens = addressTokens(oneLine(header.slice(0, MAX_ADDRESS_HEADER_CHARS)))
  const found: Address[] = []
  let entry: Entry = { words: [], address: '' }
  let inGroup = false
  const end = () => {
    const mailbox = mailboxOf(entry)
    if (mailbox.address !== '' || hasWords(mailbox.name)) found.push(mailbox)
    entry = { words: [], address: '' }
  }
  for (let at = 0; at < tokens.length && found.length < MAX_ADDRESSES; at += 1) {
    const token = tokens[at] as AddressToken
    if (token.kind !== 'special') entry.words.push(token)
    else if (token.text === ',') end()
    else if (token.text === ';') {
      end()
      inGroup = false
    } else if (token.text === ':' && !inGroup) {
      // Before it is the group's name. There are no groups within groups: further colons are blanks.
      entry = { words: [], address: '' }
      inGroup = true
    } else if (token.text === '<') {
      const close = endOfBrackets(tokens, at)
      const next = tokens[Math.max(at, close) + 1]
      if (next !== undefined) next.isApart = true
      if (close < 0) continue
      const inside = tokens.slice(at + 1, close)
      // Of several the first counts; the others belong to the name, where they are seen.
      if (entry.address === '') entry.address = addressIn(withoutRoute(inside))
      else entry.words.push(...inside)
      at = close
    }
  }
  if (found.length < MAX_ADDRESSES) end()
  return found
}

/** What is known of a mailbox: what is outside its brackets, and the address in them. */
type Entry = { words: AddressToken[]; address: string }

/** Where the brackets that open at `start` close; -1 if others open before that, or they never close. */
function endOfBrackets(tokens: readonly AddressToken[], start: number): number {
  for (let at = start + 1; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as AddressToken
    if (kind === 'special' && (text === '<' || text === '>')) return text === '>' ? at : -1
  }
  return -1
}

function mailboxOf({ words, address: inBrackets }: Entry): Address {
  const bare = inBrackets === '' ? bareAddress(words) : { address: inBrackets, rest: words }
  const name = nameIn(bare.rest)
  return { name: name === bare.address ? '' : name, address: bare.address }
}

/** The first address among words without brackets, and the words around it. */
function bareAddress(words: AddressToken[]): { address: string; rest: AddressToken[] } {
  const own = words.filter(({ kind }) => kind !== 'comment')
  let to = 0
  for (let at = 0; at < own.length; at = Math.max(at + 1, to)) {
    const { kind, text } = own[at] as AddressToken
    if (kind !== 'word' || !text.includes('@')) continue
    let from = at
    to = at + 1
    while (from > 0 && belongTogether(own[from - 1], own[from], true)) from -= 1
    while (to < own.length && belongTogether(own[to - 1], own[to], false)) to += 1
    const parts = own.slice(from, to)
    const address = addressIn(parts)
    if (address === '') continue
    const [first, last] = [
      words.indexOf(own[from] as AddressToken),
      words.indexOf(own[to - 1] as AddressToken),
    ]
    // Comments within an address are no name.
    return { address, rest: words.filter((_, index) => index < first || index > last) }
  }
  return { address: '', rest: words }
}

/** Two words of one address: RFC 5322 4.4 allows blanks around the dots of a domain. */
function belongTogether(
  first: AddressToken | undefined,
  second: AddressToken | undefined,
  isLocal: boolean,
): boolean {
  if (first === undefined || second === undefined || first.kind === 'special') return false
  const atDot =
    (second.kind === 'word' && /^[.@]/.test(second.text)) ||
    (first.kind === 'word' && /[.@]$/.test(first.text))
  if (second.isApart) return atDot && !isLocal
  return atDot || (first.kind !== 'quoted' && second.kind !== 'quoted')
}

/** RFC 5322 4.4: an obsolete route ("@relay.example:") precedes the address. */
function withoutRoute(inside: AddressToken[]): AddressToken[] {
  const isRoute = inside[0]?.kind === 'word' && inside[0].text.startsWith('@')
  return isRoute
    ? inside.slice(inside.findIndex(({ kind, text }) => kind === 'special' && text === ':') + 1)
    : inside
}

/** The address that these words are; without "@" they are none. */
function addressIn(words: readonly AddressToken[]): string {
  // Joined once at the end: to look at a text's last character after each word that it grows by is to copy it each time.
  const pieces: string[] = []
  let last = ''
  let [isQuoted, needsQuotes] = [false, false]
  // The piece with the last "@", and where it stands in that.
  let [piece, at] = [-1, -1]
  for (const { kind, text, isApart } of words) {
    if (kind === 'comment') continue
    if (isApart && last !== '' && !/[.@]$/.test(last) && !(kind === 'word' && /^[.@]/.test(text)))
      pieces.push(' ')
    if (kind === 'word' && text.includes('@')) {
      ;[piece, at] = [pieces.length, text.lastIndexOf('@')]
      needsQuotes = isQuoted
    }
    isQuoted ||= kind === 'quoted'
    pieces.push(text)
    if (text !== '') last = text
  }
  if (piece < 0) return ''
  const local = pieces.slice(0, piece).join('') + pieces[piece]?.slice(0, at)
  const domain = (pieces[piece]?.slice(at + 1) + pieces.slice(piece + 1).join('')).trim()
  if (local === '' || domain === '') return ''
  return `${needsQuotes && !DOT_ATOM.test(local) ? quoted(local) : local}@${domain}`
}

/** The name that these words are, else their comment: "anna@example.org (Anna)". */
function nameIn(words: readonly AddressToken[]): string {
  const own = words.filter(({ kind }) => kind !== 'comment' && kind !== 'special')
  const shown = own.length > 0 ? own : words.filter(({ kind }) => kind === 'comment')
  const text = shown.map(({ text: word, isApart }) => (isApart ? ` ${word}` : word)).join('')
  return oneLine(decodeWords(text)).replace(/ {2,}/g, ' ')
}

/** The normalized form of an address: trimmed, lower case, without needless quotes, the domain in ASCII (IDNA). */
export function addressKey(address: string): string {
  const trimmed = plainAddress(address.trim())
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
  const whole = oneLine(address)
  const at = whole.startsWith('"') ? whole.lastIndexOf('"@') + 1 : 0
  // Brackets and blanks are part of a quoted local part only.
  const reachable = whole.slice(0, at) + whole.slice(at).replace(/[<>\s]/g, '')
  if (plain === '') return reachable
  const shown = /^[\p{L}\p{M}\p{N} '_-]+$/u.test(plain) ? plain : quoted(plain)
  return reachable === '' ? shown : `${shown} <${reachable}>`
}
