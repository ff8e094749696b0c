import { addressKey, isSendable } from '../addresses.ts'
import { ADDRESS, beforeOriginal, originalHead, tidyAddress } from './report-parts.ts'
import { isRecipient, type NamedRecipient, recipientsIn, recipientsNamed } from './recipients.ts'
import {
  FAILURE_STATUS,
  isHardFailure,
  MAX_DIAGNOSTIC_CHARS,
  type ReportedRecipient,
} from './hard-failure.ts'
import { STILL_TRYING, CERTAINLY_TRYING } from './report-phrases.ts'
import { headerOf, type ParsedMail } from '../parse.ts'
import { cutText, oneLine } from '../../../platform/text.ts'

/** Recipients read from one report. */
export const MAX_RECIPIENTS = 100
/** Limit of the text around a recipient. */
const MAX_NEARBY_CHARS = 2_000
/** The reason for a recipient is within this many lines … */
const REASON_LINES = 30
/** … and a reason for all of them in the first lines. */
const OPENING_LINES = 12
/** An entry with less text besides its address has no reason of its own. */
const MIN_REASON_CHARS = 4

/** Recipients named in a free-text report. */
export function spokenRecipients(mail: ParsedMail): ReportedRecipient[] {
  const text = beforeOriginal(mail.text)
  const lines = text.split('\n')
  const found = failedIn(mail, lines).slice(0, MAX_RECIPIENTS)
  if (found.length === 0) return []
  const delayed = isDelayed(mail.subject, text)
  const opening = lines.slice(0, Math.min(OPENING_LINES, found[0]?.at ?? 0)).join(' ')
  const near = oneLine(`${mail.subject} ${opening.slice(0, MAX_NEARBY_CHARS)}`)
  const reasons = reasonsOf(found, lines)
  return found.map(({ address }, index) => {
    const diagnostic = reasons[index] ?? ''
    const status = FAILURE_STATUS.exec(diagnostic)?.[1]
    return {
      address,
      action: delayed ? 'delayed' : 'failed',
      ...(status === undefined ? {} : { status }),
      diagnostic,
      hard: !delayed && isHardFailure(status, diagnostic, near),
    }
  })
}

function failedIn(mail: ParsedMail, lines: readonly string[]): NamedRecipient[] {
  const named = (headerOf(mail, 'x-failed-recipients').match(ADDRESS) ?? []).filter(isRecipient)
  return named.length > 0 ? recipientsNamed(lines, named) : recipientsIn(lines, oursIn(mail))
}

function isDelayed(subject: string, text: string): boolean {
  if (STILL_TRYING.test(subject)) return true
  const givenUp = /permanent|given up|giving up/i
  if (CERTAINLY_TRYING.test(text) && !givenUp.test(text)) return true
  return STILL_TRYING.test(text) && !/permanent|given up|giving up|fail/i.test(text + subject)
}

/** Addresses in a report that did not fail: ours, the daemon's, help contacts. */
function oursIn(mail: ParsedMail): Set<string> {
  return new Set(
    [...mail.to, ...mail.cc, ...(mail.from ? [mail.from] : []), ...mail.replyTo].map(({ address }) =>
      addressKey(address),
    ),
  )
}

/**
 * The text about each recipient: from its line to the next recipient's. If none but the last has any, all share the
 * whole text; otherwise a reason belongs only to its own recipient.
 */
function reasonsOf(found: readonly NamedRecipient[], lines: readonly string[]): string[] {
  const own = found.map(({ address, at }, index) => {
    const end = found.slice(index + 1).find((next) => next.at > at)?.at ?? lines.length
    const words = oneLine(lines.slice(at, Math.min(end, at + REASON_LINES)).join(' ')).replace(/\s+/g, ' ')
    const beside = words.replace(ADDRESS, '').replace(/[<>:\s().,;*•-]|\b\d{1,3}\b/g, '')
    return { address, at, words, isBare: beside.length < MIN_REASON_CHARS }
  })
  const last = own.at(-1)
  const isShared = own.every(({ isBare, at }) => isBare || at === last?.at)
  const whole = isShared ? oneLine(lines.join(' ')).replace(/\s+/g, ' ') : ''
  return own.map(({ words, isBare }) =>
    cutText(isBare ? (isShared ? whole : '') : words, MAX_DIAGNOSTIC_CHARS),
  )
}

/**
 * If the report names no address, the original's only recipient is taken. It may have been forwarded to the one that
 * failed, so nothing is permanent.
 */
export function guessed(mail: ParsedMail): ReportedRecipient[] {
  const original = originalHead(mail)
  const to = /^(?:x-)?(?:original-)?to\s*:[^\n]*(?:\n[ \t][^\n]*)*/im.exec(original)?.[0].match(ADDRESS) ?? []
  const diagnostic = cutText(oneLine(beforeOriginal(mail.text)).replace(/\s+/g, ' '), MAX_DIAGNOSTIC_CHARS)
  const status = FAILURE_STATUS.exec(diagnostic)?.[1]
  const addresses = [...new Set(to.map(tidyAddress))].filter((address) => isSendable(address))
  if (addresses.length !== 1) return []
  return [
    {
      address: addresses[0]!,
      action: STILL_TRYING.test(mail.subject) ? 'delayed' : 'failed',
      ...(status === undefined ? {} : { status }),
      diagnostic,
      hard: false,
    },
  ]
}
