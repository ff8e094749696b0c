import type { SmtpFailure, SmtpAcceptance } from '../../gateways/smtp.ts'
import type { Claim } from './claims-store.ts'
import type { Settlement } from './settlements-store.ts'

/** What an attempt led to: how the mail stands, and what it says of the whole account. */
export type SendOutcome = {
  settlement: Settlement
  /** The account as a whole cannot send now: nothing more is tried before this many milliseconds have passed. */
  pauseMs?: number
  /** Addresses that the server knows not to exist. */
  deadAddresses: string[]
  /** The server says that there are too many connections, in the middle of one: fewer would do. */
  crowded?: boolean
}

const MINUTE = 60_000
/** Waits after the 1st, 2nd … attempt that was told "later" (RFC 5321 4.5.4.1 asks for 30 minutes between most). */
const BACKOFF_MS = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE)
/** After this long a mail that was never taken has failed (RFC 5321: at least 4 to 5 days for relays; people want to know sooner). */
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE
/** What the whole account waits after a failure that is not about one mail. */
const PAUSE_MS = {
  auth: 15 * MINUTE,
  certificate: 15 * MINUTE,
  not_allowed: 15 * MINUTE,
  unreachable: MINUTE,
  later: 2 * MINUTE,
}
/** An unsure mail is looked up after this: servers need a moment to put it into Sent. */
export const LOOK_UP_AFTER_MS = 5000

type Of = { claim: Claim; now: Date; inSentFolder: boolean }

function settle(
  { claim, now, inSentFolder }: Of,
  change: Pick<Settlement, 'state' | 'reason'> & { waitMs?: number },
): Settlement {
  return {
    userId: claim.userId,
    emailId: claim.emailId,
    attempt: claim.attempt,
    state: change.state,
    reason: change.reason,
    nextTryAt: new Date(now.getTime() + (change.waitMs ?? 0)),
    at: now,
    inSentFolder,
  }
}

/** The address got off the list after the mail was written: it does not leave. */
export function offTheList(claim: Claim, now: Date): Settlement {
  return settle(
    { claim, now, inSentFolder: true },
    { state: 'failed', reason: 'This address gets no more mail from you.' },
  )
}

/** The server took the mail, for all recipients or for some. */
export function taken(of: Of, receipt: SmtpAcceptance): SendOutcome {
  const words = receipt.rejected.map((each) => `${each.address}: ${each.words}`).join(' · ')
  return {
    settlement: settle(of, { state: 'sent', reason: words === '' ? null : words }),
    deadAddresses: receipt.rejected.filter((each) => isNoSuchAddress(each)).map((each) => each.address),
  }
}

/** The attempt failed; `opening` tells that no mail was under way yet. */
export function failed(of: Of, failure: SmtpFailure, opening: boolean): SendOutcome {
  const { claim, now } = of
  const words = failure.words
  const dead = (failure.perRecipient ?? [])
    .filter((each) => isNoSuchAddress(each))
    .map((each) => each.address)
  switch (failure.kind) {
    case 'refused':
    case 'too_large':
      if (opening) return { ...wait(of, words), pauseMs: PAUSE_MS.auth, deadAddresses: [] }
      return { settlement: settle(of, { state: 'failed', reason: words }), deadAddresses: dead }
    case 'unsure':
      return {
        settlement: settle(of, { state: 'unsure', reason: words, waitMs: LOOK_UP_AFTER_MS }),
        deadAddresses: [],
      }
    case 'later': {
      const age = now.getTime() - claim.firstTriedAt.getTime()
      if (age > GIVE_UP_MS)
        return { settlement: settle(of, { state: 'failed', reason: words }), deadAddresses: [] }
      if (opening) return { ...wait(of, words), pauseMs: PAUSE_MS.later, deadAddresses: [] }
      return { ...wait(of, words), crowded: isCrowded(words), deadAddresses: [] }
    }
    default:
      return { ...wait(of, words), pauseMs: PAUSE_MS[failure.kind], deadAddresses: [] }
  }
}

function wait(of: Of, words: string): Pick<SendOutcome, 'settlement'> {
  const waitMs = BACKOFF_MS[Math.min(of.claim.attempt, BACKOFF_MS.length) - 1] ?? MINUTE
  return { settlement: settle(of, { state: 'deferred', reason: words, waitMs }) }
}

/** Exchange says "432 4.3.2 Concurrent connections limit exceeded" only after the mail; others speak of too many connections. */
function isCrowded(words: string): boolean {
  return /too many (concurrent |simultaneous )?(\w+ )?(connections|sessions)|concurrent connections|thread limit/i.test(
    words,
  )
}

/** RFC 3463: 5.1.1 bad mailbox, 5.1.2 bad domain, 5.1.3 bad syntax, 5.1.6 moved, 5.1.10 null MX. */
export function isNoSuchAddress(reply: { code?: number; words: string }): boolean {
  if (/\b5\.1\.(1|2|3|6|10)\b/.test(reply.words)) return true
  if (/\b[45]\.\d{1,3}\.\d{1,3}\b/.test(reply.words)) return false
  return (
    (reply.code ?? 0) >= 550 &&
    /(unknown|no such|does ?n.t exist|not exist|invalid) ?(user|mailbox|recipient|address)?|user unknown/i.test(
      reply.words,
    )
  )
}

/** The words of a refusal without what is particular to one mail, so that "always the same no" can be seen. */
export function sameWords(words: string): string {
  return words.toLowerCase().replaceAll(/[^\s<>]+@[^\s<>]+|\b[\da-f-]{6,}\b|\d+/g, '')
}
