import { type ParsedMail, headerOf } from './parse.ts'

/**
 * Servers repeat in Authentication-Results what the sender has chosen: the envelope's sender, HELO, and the names in its
 * signatures. Some write it as it came, so that `x; dkim=pass header.d=bank.example` becomes a result that the server never found.
 * The same values are in other headers of the mail, and are looked at there.
 */
const ENDS_A_VALUE = /["\\();\s]/

/** An equals sign after a word that begins inside the text: in Authentication-Results it would be one more result or property. */
const SETS_A_VALUE = /[\s;()"\\][\w./-]+\s*=/

/** What an identity in a signature may consist of (RFC 6376, 3.5, “i=”), decoded. */
const IDENTITY = /^[\w.!#$%&'*+/=?^`{|}~@-]*$/
const DOMAIN = /^[\w.-]*$/

/** `parseMail` may have cut a longer signature, or a mail with more headers: a value may be missing from what is seen. */
const MAX_SIGNATURE_CHARS = 15_000
const MAX_HEADERS = 499

/** Whether the sender has chosen values that would become results in a header that repeats them unchanged. */
export function canWriteResults(mail: ParsedMail, serverHeaders: ParsedMail['headers']): boolean {
  if (mail.headers.length > MAX_HEADERS || !isPlainPath(headerOf(mail, 'return-path'))) return true
  if ([headerOf(mail, 'from'), mail.from?.name ?? ''].some((each) => SETS_A_VALUE.test(each))) return true
  return (
    serverHeaders.some(({ name, value }) => name.toLowerCase() === 'received' && hasHostileName(value)) ||
    mail.headers.some(({ name, value }) => name.toLowerCase() === 'dkim-signature' && hasHostileTag(value))
  )
}

/** Whether the envelope's sender can be written without quotes; false if it is not known. */
export function isPlainPath(path: string | undefined): boolean {
  return path !== undefined && !ENDS_A_VALUE.test(path.trim())
}

/** Whether the HELO name in a Received line goes on where a name ends, or the line has values after the semicolon. */
function hasHostileName(received: string): boolean {
  const [, helo = ''] = /^\s*from\s+([^\s(]+)/i.exec(received) ?? []
  const semicolon = received.indexOf(';')
  return ENDS_A_VALUE.test(helo) || (semicolon >= 0 && received.includes('=', semicolon))
}

/** Whether the domain, selector or identity of a signature has characters that no such name has, encoded ones included. */
function hasHostileTag(signature: string): boolean {
  if (signature.length > MAX_SIGNATURE_CHARS) return true
  return signature.split(';').some((tag) => {
    const [name = '', ...rest] = tag.split('=')
    const value = rest.join('=').trim()
    if (/^\s*[ds]\s*$/i.test(name)) return !DOMAIN.test(value)
    return /^\s*i\s*$/i.test(name) && !IDENTITY.test(decoded(value))
  })
}

const decoded = (value: string) =>
  value.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
