import { type ParsedMail, headerOf } from './parse.ts'

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

/** Results after these are not read. */
const MAX_RESULTS = 50

/** The name that the server of this mailbox signs its results with, or undefined if that is not known. */
export function authservIdOf(operators: ReadonlyMap<string, string>, imapHost: string): string | undefined {
  const host = imapHost.toLowerCase()
  return operators.get(host) ?? PROVIDERS.get(host)
}

/**
 * True if the user's own mail server has checked that this mail comes from the domain of its From: by DMARC, or by a DKIM
 * signature of that domain or one above it. Only the topmost header counts, because the server writes above what it was sent.
 */
export function hasAuthenticSender(mail: ParsedMail, authservId: string | undefined): boolean {
  const froms = mail.headers.filter(({ name }) => name.toLowerCase() === 'from')
  const domain = mail.from?.address.split('@').at(-1)?.toLowerCase() ?? ''
  // With two of them, a result may be about the one that nobody sees.
  if (froms.length !== 1 || mail.senders.length !== 1) return false
  if (authservId === undefined || !domain.includes('.')) return false
  const [id = '', ...results] = readResults(headerOf(mail, 'authentication-results')) ?? []
  const [name = ''] = id.trim().toLowerCase().split(/\s+/)
  if (name !== authservId && !(authservId.startsWith('.') && name.endsWith(authservId))) return false
  const read = results.slice(0, MAX_RESULTS).map(resultOf)
  const dmarc = read.filter(({ method }) => method === 'dmarc')
  if (dmarc.some(({ result }) => result !== 'pass')) return false
  if (dmarc.some(({ properties }) => properties.get('header.from') === domain)) return true
  return read.some(({ method, result, properties }) => {
    const signer = properties.get('header.d') ?? properties.get('header.i')?.split('@').at(-1) ?? ''
    const isAbove = signer.includes('.') && `.${domain}`.endsWith(`.${signer}`)
    return method === 'dkim' && result === 'pass' && isAbove
  })
}

/**
 * The parts of the header between semicolons, without comments and quoted strings: both may hold a sender's words. Null if
 * one of them is not closed.
 */
function readResults(header: string): string[] | null {
  let depth = 0
  let isQuoted = false
  let plain = ''
  for (let at = 0; at < header.length; at += 1) {
    const char = header.charAt(at)
    if (char === '\\') at += 1
    else if (char === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    else if (depth === 0) plain += char
    if (depth < 0) return null
  }
  return depth === 0 && !isQuoted ? plain.split(';') : null
}

/** `dkim=pass header.d=example.org`; of a property that is there twice, neither counts. */
function resultOf(part: string): { method: string; result: string; properties: Map<string, string> } {
  const [first = [], ...rest] = part
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?= ?/g, '=')
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.split('='))
  const [method = '', result = ''] = first
  const times = new Map<string | undefined, number>()
  for (const [name] of rest) times.set(name, (times.get(name) ?? 0) + 1)
  const once = rest.filter(([name]) => times.get(name) === 1)
  return {
    method: method.split('/')[0] ?? '',
    result,
    properties: new Map(once.map(([name = '', value = '']) => [name, value])),
  }
}
