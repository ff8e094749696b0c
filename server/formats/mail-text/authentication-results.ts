import type { ParsedMail } from './parse.ts'
import { canWriteResults, isPlainPath } from './hostile-values.ts'

/**
 * Providers that put Authentication-Results of their own on top of every mail they take, by IMAP host, with the name they
 * sign it with (RFC 8601 authserv-id); a name that begins with a dot stands for all below it. A server that is not here, or
 * in AUTHSERV_IDS, is never asked: anybody can write this header into a mail.
 */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['imap.gmail.com', 'mx.google.com'],
  ['imap.googlemail.com', 'mx.google.com'],
  ['imap.mail.yahoo.com', '.yahoo.com'],
  ['imap.aol.com', '.yahoo.com'],
  ['imap.fastmail.com', '.messagingengine.com'],
])

/**
 * Servers that write their results above a Received line of their own, and pass the mail on to others of theirs that add
 * more lines above. They write one header for each checker, and the topmost may say nothing of DKIM or DMARC.
 */
const WRITE_ABOVE_RECEIVED: ReadonlySet<string> = new Set(['.messagingengine.com'])

/** Headers with more results than these count for nothing: one that was not read might contradict. */
const MAX_RESULTS = 50

/** The name that the server of this mailbox signs its results with, or undefined if that is not known. */
export function authservIdOf(operators: ReadonlyMap<string, string>, imapHost: string): string | undefined {
  const host = imapHost.toLowerCase()
  return operators.get(host) ?? PROVIDERS.get(host)
}

/**
 * True if the user's own mail server has checked that this mail comes from the domain of its From: by DMARC or, where the
 * domain has no DMARC policy, by a DKIM signature of that domain or one above it. Only headers that this server has written
 * are read. They repeat what the sender wrote, which may be made up to look like results: in doubt, nothing counts.
 */
export function hasAuthenticSender(mail: ParsedMail, authservId: string | undefined): boolean {
  const froms = mail.headers.filter(({ name }) => name.toLowerCase() === 'from')
  const domain = mail.from?.address.split('@').at(-1)?.toLowerCase() ?? ''
  // With two of them, a result may be about the one that nobody sees.
  if (froms.length !== 1 || mail.senders.length !== 1) return false
  if (authservId === undefined || !domain.includes('.')) return false
  const { parts, above } = ownResults(mail, authservId)
  if (parts === null || parts.length > MAX_RESULTS || canWriteResults(mail, above)) return false
  const results = resultsOf(parts)
  return results !== null && (passesDmarc(results, domain) ?? passesDkim(results, domain))
}

type OwnResults = {
  /** All parts of its headers but their names; null if there are none, or they can be read in two ways. */
  parts: string[] | null
  /** All lines down to the first Received below the results: the one that names the sender's HELO is among them. */
  above: ParsedMail['headers']
}

/**
 * What the server itself has written. Below its own Received line begins what it was sent, forged headers included. Where
 * that line is among those above the results, nothing shows where the forged ones begin, so only the topmost counts.
 */
function ownResults({ headers }: ParsedMail, authservId: string): OwnResults {
  const isNamed = (wanted: string) => (each: ParsedMail['headers'][number]) =>
    each.name.toLowerCase() === wanted
  const top = headers.findIndex(isNamed('authentication-results'))
  if (top < 0) return { parts: null, above: [] }
  const below = headers.slice(top).findIndex(isNamed('received'))
  const above = headers.slice(0, below < 0 ? top + 1 : top + below + 1)
  const isAbove = WRITE_ABOVE_RECEIVED.has(authservId) || !headers.slice(0, top).some(isNamed('received'))
  const last = below > 0 && isAbove ? top + below : top + 1
  const isPlain = isPlainPath(above.slice(0, top).find(isNamed('return-path'))?.value)
  const all = headers
    .slice(top, last)
    .filter(isNamed('authentication-results'))
    .map(({ value }) => partsOf(value, isPlain))
  const [server] = all.map(nameOf)
  if (server !== authservId && !(authservId.startsWith('.') && server?.endsWith(authservId)))
    return { parts: null, above }
  if (all.includes(null)) return { parts: null, above }
  return {
    parts: all.filter((each) => nameOf(each) === server).flatMap((each) => each?.slice(1) ?? []),
    above,
  }
}

const nameOf = (parts: string[] | null) => parts?.[0]?.trim().toLowerCase().split(/\s+/)[0]

/** What servers write where the domain has no DMARC policy. */
const NO_POLICY: ReadonlySet<string> = new Set(['none', 'unknown'])

/** What DMARC says of the domain; null if nothing. Results that contradict each other are none. */
function passesDmarc(results: readonly Result[], domain: string): boolean | null {
  const dmarc = results.filter(({ method, result }) => method === 'dmarc' && !NO_POLICY.has(result))
  const about = new Set(dmarc.map(({ properties }) => properties.get('header.from')))
  if (about.size > 1 || dmarc.some(({ result }) => result !== 'pass')) return false
  return about.has(domain) ? true : null
}

/**
 * Results that say that a signature is wrong, or that there is none. All others say that one could not be checked, such as
 * a second one with an algorithm that the server does not know.
 */
const BAD_SIGNATURE: ReadonlySet<string> = new Set(['fail', 'policy', 'none'])

/** Whether a signature of the domain, or one above it, is good, and none of that domain is bad. */
function passesDkim(results: readonly Result[], domain: string): boolean {
  const dkim = results.filter(({ method }) => method === 'dkim')
  const doubted = new Set(dkim.filter(({ result }) => BAD_SIGNATURE.has(result)).map(signerOf))
  // “none”, or a bad signature that names no domain.
  if (doubted.has('')) return false
  return dkim.some((each) => {
    const signer = signerOf(each)
    const isGood = each.result === 'pass' && !doubted.has(signer)
    return isGood && signer.includes('.') && isWithin(domain, signer)
  })
}

/** The domain that signed; empty where it is not named, or named in two ways that do not agree (RFC 6376, 3.5, “i=”). */
function signerOf({ properties }: Result): string {
  const agent = properties.get('header.i')?.split('@').at(-1)
  const signer = properties.get('header.d') ?? agent ?? ''
  return agent === undefined || isWithin(agent, signer) ? signer : ''
}

const isWithin = (domain: string, above: string) => `.${domain}`.endsWith(`.${above}`)

/**
 * The parts of the header between semicolons, without comments, and with `"` for each quoted string. Null for a header that can
 * be read in two ways: the sender's words in it, if they were not escaped, would be backslashes, quotes in a comment, or a
 * quoted string that is not a whole value. Where the sender's address is known to have no quotes, pairs of them may be in a
 * comment, around words that end neither the comment nor the part.
 */
function partsOf(header: string, mayQuoteInComments: boolean): string[] | null {
  let depth = 0
  let isQuoted = false
  let plain = ''
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    if (char === '\\' || (isQuoted && '();'.includes(char))) return null
    if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (char === '"' && depth > 0) {
      if (!mayQuoteInComments) return null
      isQuoted = !isQuoted
    } else if (char === '"') {
      at = plain.endsWith('=') ? endOfQuoted(header, at) : -1
      if (at < 0) return null
    }
    if (depth < 0) return null
    if (depth === 0) plain += char === ')' ? ' ' : char
  }
  return depth === 0 ? plain.split(';') : null
}

/** Where the quoted string that begins at `start` ends; -1 if it does not, or is only a piece of a value. */
function endOfQuoted(header: string, start: number): number {
  let end = start + 1
  while (end < header.length && header.charAt(end) !== '"') end += header.charAt(end) === '\\' ? 2 : 1
  return end < header.length && /^[\s;(]?$/.test(header.charAt(end + 1)) ? end : -1
}

type Result = { method: string; result: string; properties: Map<string, string> }

const METHOD = /^([a-z][\w.-]*)(?:\/\d+)?=([a-z_]+)$/
const PROPERTY = /^([a-z][\w.-]*)=(.*)$/
/** Blanks beside the first equals sign of a word; the base64 of a signature may end with others. */
const EQUALS = /(^| )([\w./-]+) ?= ?/g

/** The results; null if one is written in no way that a server writes it. */
function resultsOf(parts: readonly string[]): Result[] | null {
  const texts = parts.map((part) =>
    part.replaceAll(/\s+/g, ' ').replaceAll(EQUALS, '$1$2=').trim().toLowerCase(),
  )
  const read = texts.filter((text) => text !== '' && text !== 'none').map(resultOf)
  return read.every((each) => each !== null) ? read : null
}

/** `dkim=pass header.d=example.org`; of a property that is there twice, neither counts. */
function resultOf(text: string): Result | null {
  const [first = '', ...words] = text.split(' ')
  const [, method, result] = METHOD.exec(first) ?? []
  const properties = words.map((word) => PROPERTY.exec(word))
  if (method === undefined || result === undefined || properties.includes(null)) return null
  const times = new Map<string | undefined, number>()
  for (const each of properties) times.set(each?.[1], (times.get(each?.[1]) ?? 0) + 1)
  // What SPF has checked is no part of what these have: here, a sender's words end in another result.
  const isMixed = (method === 'dkim' || method === 'dmarc') && words.some((word) => word.startsWith('smtp.'))
  if (isMixed) return null
  const once = properties.filter((each) => times.get(each?.[1]) === 1)
  return { method, result, properties: new Map(once.map((each) => [each?.[1] ?? '', each?.[2] ?? ''])) }
}
