import type { ImapFlowError } from 'imapflow'
import { NoAccessToken } from './access-token.ts'
import { DeadlinePassed } from './deadline.ts'
import { dialFailureKind, dialWords, type DialFailureKind } from './dial-failure.ts'
import { farWords } from './far-words.ts'
import { meansLater, pauseAskedFor } from './imap-later.ts'

/**
 * `auth` user name or password · `unreachable` no connection could be made · `certificate` no trusted encryption ·
 * `not_allowed` by our own dial rules · `timeout` the server took too long · `gone` an open connection was lost ·
 * `no_folder` · `refused` the server said NO · `later` it cannot do this now, whatever was asked · `protocol` the server
 * sent something that is not IMAP, or more than we read.
 */
export type ImapFailureKind =
  | DialFailureKind
  | 'auth'
  | 'timeout'
  | 'gone'
  | 'no_folder'
  | 'refused'
  | 'later'
  | 'protocol'

/** Why an IMAP operation failed. `words` is what the server said, made fit to show; empty if it said nothing. */
export class ImapFailure extends Error {
  override readonly name = 'ImapFailure'
  readonly kind: ImapFailureKind
  readonly words: string
  /** The response code (RFC 5530) in capitals; empty if there was none. */
  readonly code: string
  /** How long the server asks us to wait, in milliseconds. */
  readonly pauseMs: number | null
  constructor(kind: ImapFailureKind, words: string, cause?: unknown, code = '') {
    super(`${kind}: ${words}`, { cause })
    this.kind = kind
    this.words = words
    this.code = code
    this.pauseMs = pauseAskedFor(words)
  }
}

const TIMEOUT_CODES = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT'])
/** imapflow's code for "Request is throttled". */
export const THROTTLED = 'ETHROTTLE'
const LOST_CODES = new Set([
  'NoConnection',
  'EConnectionClosed',
  'StateLogout',
  'ClosedAfterConnectText',
  'ClosedAfterConnectTLS',
  'ECONNRESET',
  'EPIPE',
])
// imapflow's error codes for faults in what the server sent.
const PROTOCOL_CODE =
  /TooLarge$|^ParserError|^UnexpectedTag$|^InvalidResponse$|^ResponseProcessingFailed$|_INJECTION$|NESTING/

/**
 * Turns whatever imapflow, the socket, TLS or our guard threw into an {@link ImapFailure}.
 *
 * @param wasOpen whether log-in had succeeded before
 * @param lastError the connection's own error, if any: it explains a mere "connection not available"
 */
export function imapFailure(error: unknown, wasOpen: boolean, lastError?: unknown): ImapFailure {
  if (error instanceof ImapFailure) return error
  if (error instanceof NoAccessToken)
    return new ImapFailure(error.kind === 'withdrawn' ? 'auth' : 'unreachable', error.words, error)
  if (error instanceof DeadlinePassed) return new ImapFailure('timeout', 'no answer in time', error)
  const { code = '', reason } = (error ?? {}) as ImapFlowError
  if (LOST_CODES.has(code)) {
    const explained = lastError && lastError !== error ? imapFailure(lastError, wasOpen) : undefined
    if (explained && explained.kind !== 'gone' && explained.kind !== 'unreachable') return explained
    const words = farWords(reason)
    // What BYE says about limits holds for the next connection, too.
    if (meansLater(undefined, words)) return new ImapFailure('later', words, error)
    return new ImapFailure(wasOpen ? 'gone' : 'unreachable', words || 'connection closed', error)
  }
  const { serverResponseCode = '' } = (error ?? {}) as ImapFlowError
  return new ImapFailure(
    kindOf(error, code, wasOpen),
    wordsOf(error),
    error,
    serverResponseCode.toUpperCase(),
  )
}

function kindOf(error: unknown, code: string, wasOpen: boolean): ImapFailureKind {
  const { authenticationFailed, serverResponseCode, responseStatus, mailboxMissing } = (error ??
    {}) as ImapFlowError
  if (code === THROTTLED) return 'later'
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  if (PROTOCOL_CODE.test(code)) return 'protocol'
  const isRefusal = authenticationFailed || responseStatus === 'NO' || responseStatus === 'BAD'
  // At log-in, too: the password must not be blamed for a passing trouble.
  if (isRefusal && meansLater(serverResponseCode, wordsOf(error))) return 'later'
  if (authenticationFailed) return 'auth'
  if (code === 'NotFound' || mailboxMissing || serverResponseCode === 'NONEXISTENT') return 'no_folder'
  if (responseStatus === 'NO') return 'refused'
  if (responseStatus === 'BAD') return 'protocol'
  const dial = dialFailureKind(error)
  if (dial) return dial === 'unreachable' && wasOpen ? 'gone' : dial
  return 'protocol'
}

function wordsOf(error: unknown): string {
  const { responseText, response, message } = (error ?? {}) as ImapFlowError
  const said =
    responseText ?? (typeof response === 'string' ? response.replace(/^\S+ (NO|BAD|BYE) /, '') : '')
  return farWords(said) || dialWords(error) || farWords(message)
}
