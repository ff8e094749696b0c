import { ADDRESS } from './report-parts.ts'
import {
  ABOUT_SENDER,
  MAILBOX_FULL,
  NO_SUCH_DOMAIN,
  NO_SUCH_USER,
  NOT_IN_DIRECTORY,
  POLICY,
  REFUSED_FOR_OTHER_REASONS,
  TEMPORARY,
  UNAVAILABLE,
} from './bounce-phrases.ts'

export type ReportedRecipient = {
  /** As the report names it; of several, the address the mail was originally sent to. */
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** Enhanced status code (RFC 3463), e.g. `5.1.1`. */
  status?: string
  /** The remote server's text on one line, at most 500 characters; may be empty. */
  diagnostic: string
  /** The address will never accept mail: stop writing to it. False for full, refused, delayed and unclear cases. */
  hard: boolean
}
/** Characters of a remote server's text that are kept. */
export const MAX_DIAGNOSTIC_CHARS = 500

/** Phrases are looked for in at most this much text around a recipient. */
const MAX_WORDS_CHARS = 2_500

/** Enhanced status codes (RFC 3463), not to be found inside an IP address. */
export const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/
export const FAILURE_STATUS = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/
const REPLY_CODE = /(?:^|[\s:;'"(<])([45]\d\d)(?=[\s:#-]|$)/

/** Codes about the recipient that servers seldom use for anything else. */
const GONE_CODES = new Set(['5.1.1', '5.1.2', '5.1.6', '5.1.10', '5.4.310'])
/** Codes that count unless the text contradicts them. */
const GONE_WITHOUT_WORDS = new Set([...GONE_CODES, '5.1.3', '5.2.1', '5.4.4'])
/** The host, or the domain, never takes mail (RFC 7504). */
const NO_MAIL_CODES = new Set(['521', '556'])

/**
 * True if the failure is permanent and about the recipient. Text counts before codes, since servers use 5.0.0, 5.1.0
 * and 5.7.1 for everything; a 4xx code is final only if the domain does not exist. In doubt it is not permanent:
 * giving up a live address is worse than retrying a dead one.
 *
 * @param near the rest of the report, used where `diagnostic` says nothing
 */
export function isHardFailure(status: string | undefined, diagnostic: string, near: string): boolean {
  for (const words of [diagnostic, near]) {
    const plain = plainWords(words.slice(0, MAX_WORDS_CHARS))
    const meaning = meaningOf(plain)
    if (meaning === true && status?.startsWith('4.') === true && !NO_SUCH_DOMAIN.test(plain)) return false
    if (meaning !== null) return meaning
  }
  return status !== undefined && GONE_WITHOUT_WORDS.has(status)
}

/** Text without links, with "@" for every address: names must not be mistaken for reasons. */
function plainWords(words: string): string {
  return words
    .replaceAll('’', "'")
    .replace(/https?:\S+/gi, ' ')
    .replace(ADDRESS, '@')
    .replace(/[<("']{0,2}@[>)"']{0,2}/g, '@')
    .replace(/\s+/g, ' ')
    .trim()
}

/** True: gone for good. False: not, or not certain. Null: nothing is said. */
function meaningOf(words: string): boolean | null {
  if (words === '') return null
  const reply = REPLY_CODE.exec(words)?.[1]
  const enhanced = FAILURE_STATUS.exec(words)?.[1] ?? ''
  if ((reply ?? enhanced).startsWith('4')) return false
  if ([MAILBOX_FULL, ABOUT_SENDER, TEMPORARY].some((phrases) => phrases.test(words))) return false
  if (enhanced === '5.4.1' && NOT_IN_DIRECTORY.test(words)) return true
  if (POLICY.test(words)) return false
  if (NO_SUCH_USER.test(words) || NO_SUCH_DOMAIN.test(words)) return true
  if (enhanced.startsWith('5.7.') && !UNAVAILABLE.test(words)) return false
  if (reply !== undefined && NO_MAIL_CODES.has(reply)) return true
  if (REFUSED_FOR_OTHER_REASONS.test(words)) return false
  if (GONE_CODES.has(enhanced) || UNAVAILABLE.test(words)) return true
  return null
}
