import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { SmtpFailure, SmtpAcceptance } from '../../../platform/gateways/smtp.ts'
import type { Settlement } from '../../../platform/jobs/delivery.ts'
import type { Claim } from './claims-store.ts'

/** What came of an attempt: what becomes of the email, and what it says about the account as a whole. */
export type SendOutcome = {
  settlement: Settlement
  /** The account as a whole cannot send now: nothing more is tried for this many milliseconds. */
  pauseMs?: number
  /** Addresses that do not exist, according to the server. */
  deadAddresses: string[]
  /** The server says on an open connection that there are too many: it would accept fewer. */
  tooManyConnections?: boolean
}

const MINUTE = 60_000
/** Waits after the first, second … deferred attempt (RFC 5321 4.5.4.1 asks for 30 minutes between most of them). */
const BACKOFF_MS = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE)
/** An email that no server accepts for this long has failed. RFC 5321 gives relays 4 to 5 days; people want to know sooner. */
const GIVE_UP_MS = 3 * 24 * 60 * MINUTE
/** How long the whole account waits after a failure that is not about a single email. */
const PAUSE_MS = {
  auth: 15 * MINUTE,
  certificate: 15 * MINUTE,
  not_allowed: 15 * MINUTE,
  unreachable: MINUTE,
  later: 2 * MINUTE,
}
/** When to look up an unsure email: servers need a moment to put it into the Sent folder. */
export const LOOK_UP_AFTER_MS = 5000

/** An attempt that has just ended. */
type EndedAttempt = { claim: Claim; now: Date; inSentFolder: boolean }

function settlementOf(
  { claim, now, inSentFolder }: EndedAttempt,
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

/** The recipient was suppressed for this reason after the email was queued: it does not leave. */
export function suppressedSettlement(claim: Claim, why: SuppressionReason, now: Date): Settlement {
  const reason =
    why === 'declined' ? 'They said no before it was sent.' : 'This address gets no more mail from you.'
  return settlementOf({ claim, now, inSentFolder: true }, { state: 'failed', reason })
}

const OVERTAKEN =
  'It may have left before. They have replied or bounced since, or the contact was deleted, so it was not sent again.'

/** It may have left before, and must not leave again. */
export function overtakenSettlement(claim: Claim, now: Date): Settlement {
  return settlementOf({ claim, now, inSentFolder: true }, { state: 'failed', reason: OVERTAKEN })
}

/** Why a mail of a business failed that must not leave any more. */
export const TAKEN_BACK = 'It was taken back before it left.'

/** What the email tells of is over: it does not leave. */
export function takenBackSettlement(claim: Claim, now: Date): Settlement {
  return settlementOf({ claim, now, inSentFolder: true }, { state: 'failed', reason: TAKEN_BACK })
}

/** The server accepted the email, for all recipients or for some of them. */
export function acceptedOutcome(attempt: EndedAttempt, { rejected }: SmtpAcceptance): SendOutcome {
  const reason = rejected.map((each) => `${each.address}: ${each.words}`).join(' · ')
  return {
    settlement: settlementOf(attempt, { state: 'sent', reason: reason === '' ? null : reason }),
    deadAddresses: rejected.filter((each) => isNoSuchAddress(each)).map((each) => each.address),
  }
}

/** The attempt failed. `connecting` is true if the email was not under way yet. */
export function failedOutcome(attempt: EndedAttempt, failure: SmtpFailure, connecting: boolean): SendOutcome {
  const { claim, now } = attempt
  const reason = failure.words
  const deadAddresses = (failure.perRecipient ?? [])
    .filter((each) => isNoSuchAddress(each))
    .map((each) => each.address)
  switch (failure.kind) {
    case 'refused':
    case 'too_large':
      if (connecting) return { ...deferred(attempt, reason), pauseMs: PAUSE_MS.auth, deadAddresses: [] }
      return { settlement: settlementOf(attempt, { state: 'failed', reason }), deadAddresses }
    case 'unsure':
      return {
        settlement: settlementOf(attempt, { state: 'unsure', reason, waitMs: LOOK_UP_AFTER_MS }),
        deadAddresses: [],
      }
    case 'later': {
      const age = now.getTime() - claim.firstTriedAt.getTime()
      if (age > GIVE_UP_MS)
        return { settlement: settlementOf(attempt, { state: 'failed', reason }), deadAddresses: [] }
      if (connecting) return { ...deferred(attempt, reason), pauseMs: PAUSE_MS.later, deadAddresses: [] }
      return {
        ...deferred(attempt, reason),
        tooManyConnections: saysTooManyConnections(reason),
        deadAddresses: [],
      }
    }
    default:
      return { ...deferred(attempt, reason), pauseMs: PAUSE_MS[failure.kind], deadAddresses: [] }
  }
}

function deferred(attempt: EndedAttempt, reason: string): Pick<SendOutcome, 'settlement'> {
  const waitMs = BACKOFF_MS[Math.min(attempt.claim.attempt, BACKOFF_MS.length) - 1] ?? MINUTE
  return { settlement: settlementOf(attempt, { state: 'deferred', reason, waitMs }) }
}

/** Exchange says "432 4.3.2 Concurrent connections limit exceeded", and only after the email; others say "too many connections". */
function saysTooManyConnections(reply: string): boolean {
  return /too many (concurrent |simultaneous )?(\w+ )?(connections|sessions)|concurrent connections|thread limit/i.test(
    reply,
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

/** A server's reply without the parts that differ between emails, so that the same reply can be recognized again. */
export function withoutDetails(reply: string): string {
  return reply.toLowerCase().replaceAll(/[^\s<>]+@[^\s<>]+|\b[\da-f-]{6,}\b|\d+/g, '')
}
