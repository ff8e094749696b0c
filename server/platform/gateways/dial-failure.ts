import { HostNotAllowed, HostNotFound, PortNotAllowed } from '#server/platform/security/addresses.ts'
import { farWords } from './far-words.ts'

/** Why no trustworthy connection could be made: what SMTP and IMAP have in common. */
export type DialFailureKind = 'unreachable' | 'certificate' | 'not_allowed'

/** OpenSSL's and Node's codes for a certificate that does not prove who the server is. */
const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

type CodedError = { code?: unknown; originalCode?: unknown; tlsFailed?: unknown; message?: unknown }

/** Classifies an error from the guard, the socket or TLS; null when it is none of these. */
export function dialFailureKind(error: unknown): DialFailureKind | null {
  if (error instanceof HostNotAllowed || error instanceof PortNotAllowed) return 'not_allowed'
  if (error instanceof HostNotFound) return 'unreachable'
  if (typeof error !== 'object' || error === null) return null
  const { code, originalCode, tlsFailed, message } = error as CodedError
  const codes = [code, originalCode].filter((value) => typeof value === 'string')
  if (codes.some((value) => CERTIFICATE_CODES.has(value))) return 'certificate'
  // No encryption where encryption was required is as untrustworthy as a wrong certificate.
  if (codes.some((value) => value === 'EPROTO' || value === 'ETLS' || value.startsWith('ERR_SSL_')))
    return 'certificate'
  if (tlsFailed === true || (typeof message === 'string' && message.includes('wrong version number'))) {
    return 'certificate'
  }
  return codes.some((value) => /^E[A-Z]+$/.test(value)) ? 'unreachable' : null
}

/** One sentence for people, per kind. */
export const DIAL_SENTENCES: Record<DialFailureKind, string> = {
  unreachable: 'The server could not be reached. Check the host and the port.',
  certificate:
    'No trusted encrypted connection to the server was possible. Check the port and the encryption setting.',
  not_allowed: 'This host or port may not be used for mail.',
}

const SOCKET_WORDS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer in time',
  CONNECT_TIMEOUT: 'no answer in time',
  GREETING_TIMEOUT: 'no greeting in time',
  // Node's own message lists the names in the certificate: text from a server that is not verified yet.
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
}

/** OpenSSL's line about a failure: numbers, source location and, among them, the reason. */
const OPENSSL = /[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):\S*/i

/** The error's text without the addresses and source locations that Node and OpenSSL put into their messages. */
export function dialWords(error: unknown): string {
  const { code, originalCode } = (typeof error === 'object' && error !== null ? error : {}) as CodedError
  for (const value of [originalCode, code]) {
    const words = typeof value === 'string' ? SOCKET_WORDS[value] : undefined
    if (words) return words
  }
  return farWords(error).replace(OPENSSL, '$1')
}

type Protocol = 'SMTP' | 'IMAP'

/** The text when something other than a mail server answered: its answer must not be disclosed. */
export function notSpoken(protocol: Protocol): string {
  return `it does not speak ${protocol}`
}

/** The result of a test on the settings page: the plain sentence, with the server's own text in brackets. */
export function testDetail(protocol: Protocol, host: string, sentence: string, words: string): string {
  if (words === notSpoken(protocol))
    return `The server at ${host} does not speak ${protocol}. Check the host and the port.`
  return words ? `${sentence} (${words})` : sentence
}
