import { MAILBOX_FULL, NO_SUCH_DOMAIN, NO_SUCH_USER, REFUSED_FOR_OTHER_REASONS } from './bounce-words.ts'

export type ReportedRecipient = {
  /** As the report names it; where it names both, the address the mail was sent to first. */
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** Enhanced status code (RFC 3463), e.g. `5.1.1`. */
  status?: string
  /** The far server's words on one line, at most 500 characters; may be empty. */
  diagnostic: string
  /** The address will never take mail: write to it no more. False for full, refused, delayed and unclear cases. */
  hard: boolean
}
/** Characters of a far server's words that are kept. */
export const MAX_DIAGNOSTIC_CHARS = 500

/** Enhanced status codes (RFC 3463), not to be found inside an IP address. */
export const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/
export const FAILURE_STATUS = /(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/

/**
 * Permanent and about the recipient. Words come before codes, since servers use 5.0.0, 5.1.0 and 5.7.1 for
 * everything; a code of the 4xx class is never final about the address.
 */
export function isHardFailure(status: string | undefined, diagnostic: string, near: string): boolean {
  for (const words of [diagnostic, near]) {
    const meaning = meaningOf(words)
    if (meaning !== null) return meaning
  }
  return status !== undefined && /^5\.(?:1\.(?:[0-6]|10)|2\.1|4\.4|4\.310)$/.test(status)
}

function meaningOf(words: string): boolean | null {
  if (words === '') return null
  const reply = /(?:^|[\s:;'"(<])([45])\d\d(?=[\s:#-]|$)/.exec(words)?.[1]
  const enhanced = FAILURE_STATUS.exec(words)?.[1]
  if ((reply ?? enhanced?.[0]) === '4') return false
  if (MAILBOX_FULL.test(words) || enhanced === '5.2.2') return false
  // About the sender, whatever else is said to "not exist".
  if (
    enhanced === '5.1.7' ||
    enhanced === '5.1.8' ||
    /sender (?:address )?.{0,80}(?:rejected|does not exist|unknown)|after MAIL FROM/i.test(words)
  )
    return false
  if (/^5\.1\.(?:1|2|10)$|^5\.4\.310$/.test(enhanced ?? '')) return true
  if (enhanced?.startsWith('5.7.') && !NO_SUCH_USER.test(words)) return false
  if (NO_SUCH_USER.test(words) || NO_SUCH_DOMAIN.test(words)) return true
  if (REFUSED_FOR_OTHER_REASONS.test(words)) return false
  return null
}
