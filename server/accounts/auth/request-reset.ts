import { randomBytes, randomInt } from 'node:crypto'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { TooManyRequests } from '../../platform/errors.ts'
import { countCall } from '../../platform/http/limits-store.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { queueSystemMail, waitForSystemMail, writeSystemMail } from '../system-mail/system-mail.ts'
import { isKnownPlace } from './guess-limit.ts'
import { replaceReset, type ResetKind } from './password-resets-store.ts'
import { findUserByEmail, type UserRow } from './store.ts'

const CODE_MINUTES = 10
const LINK_MINUTES = 60
/** Codes, and links, that one account gets in an hour, whatever RATE_LIMITS says. */
const MAX_AN_HOUR = 5
/** So many are left for where the account is known, however many strangers have asked for. */
const MAX_KNOWN = 2
const HOUR_MS = 3_600_000
/** Whoever asks waits no longer than this for the mail server. */
const WAIT_MS = 10_000
/** The answers say who has an account: so many are given in an hour, to all callers together. */
const LOOK_UPS_AN_HOUR = 2000

/** Letters and digits that nobody takes for others: no 0, 1, I, L, O, and no B, S, Z, which look like 8, 5, 2. */
const LETTERS = 'ACDEFGHJKMNPQRTUVWXY'
const DIGITS = '23456789'

/** What became of a request: `sent` when the mail server took the mail. */
export type Requested = { exists: boolean; sent: boolean; printed: boolean }

/** Who asks: from where, and signed in as whom. */
export type Asking = { origin: Origin; callerId: number | null }

/** Mails a code of six characters that sets a new password. @throws TooManyRequests */
export async function requestCode(context: Context, email: string, by: Asking): Promise<Requested> {
  const code = newCode()
  return request(context, email, by, {
    kind: 'code',
    minutes: CODE_MINUTES,
    signatureFor: (userId) => codeSignature(context, userId, code),
    mail: writeSystemMail(`${code} is your code for a new Howl password`, [
      `Your code is ${code}. It is valid for ${CODE_MINUTES} minutes.`,
      { code },
      'Type it on the page that asked for it. Nobody from Howl will ever ask you for this code.',
      'You did not ask for it? Then ignore this email. Your password stays as it is.',
    ]),
  })
}

/** Mails a link that sets a new password. It is built from the public address, never from the request. @throws TooManyRequests */
export async function requestLink(context: Context, email: string, by: Asking): Promise<Requested> {
  const token = randomBytes(32).toString('base64url')
  return request(context, email, by, {
    kind: 'link',
    minutes: LINK_MINUTES,
    signatureFor: () => linkSignature(context, token),
    mail: writeSystemMail('Set a new Howl password', [
      `Open this link to set a new password. It is valid for ${LINK_MINUTES} minutes and works once.`,
      { link: `${context.config.publicUrl}/reset-password?token=${token}`, label: 'Set a new password' },
      'You did not ask for it? Then ignore this email. Your password stays as it is.',
    ]),
  })
}

type NewReset = {
  kind: ResetKind
  minutes: number
  signatureFor: (userId: number) => string
  mail: ReturnType<typeof writeSystemMail>
}

/** Whether somebody who asks for a code, or types one, is where the account is known: signed in to it, or at a place of its own. */
export async function isKnownTo(context: Context, user: UserRow, { origin, callerId }: Asking) {
  return callerId === user.id || isKnownPlace(context, user, origin)
}

async function request(context: Context, email: string, by: Asking, reset: NewReset): Promise<Requested> {
  const { origin } = by
  const now = context.clock.now()
  await countLookUp(context, now, origin)
  const user = await findUserByEmail(context.db, email)
  const printed = context.config.systemSmtp === null
  const requested = { type: 'password_reset_requested', origin } as const
  if (user === undefined) {
    const detail = 'for an address without an account'
    await noteActivity(context, context.db, { ...requested, user: null, detail })
    return { exists: false, sent: false, printed }
  }
  const isKnown = await isKnownTo(context, user, by)
  const expiresAt = new Date(now.getTime() + reset.minutes * 60_000)
  const mailId = await inTransaction(context.db, async (tx) => {
    const isNew = await replaceReset(tx, {
      userId: user.id,
      kind: reset.kind,
      signature: reset.signatureFor(user.id),
      expiresAt,
      now,
      since: new Date(now.getTime() - HOUR_MS),
      max: MAX_AN_HOUR,
      isKnown,
      maxKnown: MAX_KNOWN,
    })
    if (!isNew) return null
    await noteActivity(context, tx, { ...requested, user: user.id, detail: reset.kind })
    return queueSystemMail(context, tx, { to: user.email, expiresAt, ...reset.mail })
  })
  if (mailId === null) {
    logSecurity(
      context.log,
      { event: 'limit_reached', limit: 'account', call: `reset ${reset.kind}` },
      user.id,
      origin,
    )
    throw new TooManyRequests(
      HOUR_MS,
      'Too many codes were requested for this account. Please try again in an hour.',
    )
  }
  logSecurity(context.log, { event: 'password_reset_requested', kind: reset.kind }, user.id, origin)
  const state = await waitForSystemMail(context, mailId, WAIT_MS)
  return { exists: true, sent: state === 'sent', printed }
}

async function countLookUp(context: Context, now: Date, origin: Origin): Promise<void> {
  if (!context.config.rateLimits) return
  const { calls, endsAt } = await countCall(context.db, 'password resets of all callers', now, HOUR_MS / 1000)
  if (calls <= LOOK_UPS_AN_HOUR) return
  if (calls === LOOK_UPS_AN_HOUR + 1)
    logSecurity(
      context.log,
      { event: 'limit_reached', limit: 'everybody', call: 'password resets' },
      null,
      origin,
    )
  throw new TooManyRequests(endsAt.getTime() - now.getTime())
}

/** Two digits, two upper-case and two lower-case letters in any order, about 1.6 × 10⁹ codes of equal chance. */
function newCode(): string {
  const pick = (from: string) => from[randomInt(from.length)] ?? ''
  const signs = [DIGITS, DIGITS, LETTERS, LETTERS, LETTERS.toLowerCase(), LETTERS.toLowerCase()].map(pick)
  for (let at = signs.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[signs[at], signs[other]] = [signs[other] ?? '', signs[at] ?? '']
  }
  return signs.join('')
}

/** A code is stored under a keyed signature with its account's id. Letter case does not count: phones capitalize. */
export function codeSignature(context: Pick<Context, 'secrets'>, userId: number, code: string): string {
  return context.secrets.sign(`${userId}:${code.toLowerCase()}`, 'password reset codes')
}

export function linkSignature(context: Pick<Context, 'secrets'>, token: string): string {
  return context.secrets.sign(token, 'password reset links')
}
