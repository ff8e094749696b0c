import type { Context } from '../../platform/context.ts'
import { TooManyRequests } from '../../platform/errors.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { type Delays, forgetPlacesOf, isPlaceKnown, knowPlace, takeTry, takeTryBack } from './guess-store.ts'
import type { Origin } from '../../platform/http/origin.ts'
import type { UserRow } from './store.ts'

/** 1 s after the fifth failure, doubled after each further one, at most a quarter of an hour. */
const DELAYS: Delays = { freeTries: 5, firstSeconds: 1, longestSeconds: 15 * 60, forgetSeconds: 86_400 }
/** A code has six digits only, and whoever guesses at it knows the password: a minute first, at most an hour. */
const CODE_DELAYS: Delays = { freeTries: 5, firstSeconds: 60, longestSeconds: 3600, forgetSeconds: 86_400 }
/** Wrong codes in a row after which the owner is told. */
export const CODE_TRIES = CODE_DELAYS.freeTries
/** The database refuses longer keys; no real name is that long. */
const PLACE_MAX = 100
const PURPOSE = 'names at log-in'

/**
 * Counts a try to log in as `login` before its password is checked, so that parallel tries all count. Places from
 * which the account has logged in before have a count of their own: someone guessing elsewhere does not lock the
 * owner out. Unknown accounts are treated the same.
 *
 * @throws TooManyRequests while a delay is running
 */
export async function countGuess(
  context: Context,
  login: string,
  user: { id: number } | undefined,
  origin: Origin,
): Promise<void> {
  if (!context.config.rateLimits) return
  const now = context.clock.now()
  const { freeAt } = await takeTry(context.db, accountOf(context, login), placeIn(origin), now, DELAYS)
  if (freeAt === undefined) return
  const event = { event: 'limit_reached', limit: 'account', call: 'POST /api/v1/auth/login' } as const
  logSecurity(context.log, event, user?.id ?? null, origin)
  throw new TooManyRequests(
    freeAt.getTime() - now.getTime(),
    'Too many tries to log in with this name. Please wait a moment and try again.',
  )
}

/** The password was right, and only the code is to come: that was no guess. The place stays as unknown as it was. */
export async function takeGuessBack(context: Context, login: string, origin: Origin): Promise<void> {
  if (!context.config.rateLimits) return
  await takeTryBack(context.db, accountOf(context, login), placeIn(origin), context.clock.now())
}

/**
 * The owner logged in: the place becomes known, under both of the account's names. Whatever RATE_LIMITS says: codes for a new
 * password have a limit all the same.
 */
export async function rememberPlace(context: Context, user: UserRow, origin: Origin): Promise<void> {
  await knowPlace(context.db, namesOf(context, user), placeIn(origin), context.clock.now())
}

/** Whether the owner has logged in at this place in the last 90 days. */
export async function isKnownPlace(context: Context, user: UserRow, origin: Origin): Promise<boolean> {
  return isPlaceKnown(context.db, namesOf(context, user), placeIn(origin))
}

/** The account had another owner: no place is known any more, at log-in or for a code. */
export async function forgetPlaces(context: Context, db: Queryable, user: UserRow): Promise<void> {
  const secrets = SECRETS.map((secret) => secretOf(context, user.id, secret))
  await forgetPlacesOf(db, [...namesOf(context, user), ...secrets])
}

const namesOf = (context: Context, user: UserRow) =>
  [user.email_key, user.username_key].map((name) => accountOf(context, name))

/** What is guessed at besides the password at log-in. */
const SECRETS = ['code', 'password in the settings'] as const
type Secret = (typeof SECRETS)[number]

/**
 * Counts a guess at a user's code, or at the password of a user who is signed in, before it is checked: whatever RATE_LIMITS
 * says, and from however many addresses.
 *
 * @returns how many failures in a row this would be
 * @throws TooManyRequests while a delay is running
 */
export async function countSecretGuess(context: Context, userId: number, secret: Secret, origin: Origin) {
  const now = context.clock.now()
  const account = secretOf(context, userId, secret)
  const { failures, freeAt } = await takeTry(context.db, account, placeIn(origin), now, CODE_DELAYS)
  if (freeAt === undefined) return failures
  const event = { event: 'limit_reached', limit: 'account', call: `two-step sign-in: ${secret}` } as const
  logSecurity(context.log, event, userId, origin)
  const what = secret === 'code' ? 'codes' : 'passwords'
  throw new TooManyRequests(
    freeAt.getTime() - now.getTime(),
    `Too many wrong ${what}. Please wait a while and try again.`,
  )
}

/** The guess was right: the place becomes known, and failures there are forgotten. */
export async function forgetSecretGuesses(context: Context, userId: number, secret: Secret, origin: Origin) {
  await knowPlace(context.db, [secretOf(context, userId, secret)], placeIn(origin), context.clock.now())
}

function secretOf(context: Context, userId: number, secret: Secret): string {
  return context.secrets.sign(`${userId}`, `guesses at a ${secret}`)
}

function accountOf(context: Context, login: string): string {
  return context.secrets.sign(login.trim().toLowerCase(), PURPOSE)
}

const placeIn = (origin: Origin) => origin.place.slice(0, PLACE_MAX)
