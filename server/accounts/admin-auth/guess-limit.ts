import type { Context } from '../../platform/context.ts'
import { type Delays, knowPlace, takeTry, takeTryBack } from '../auth/auth.ts'
import { TooManyRequests } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'

/** What is guessed at: an access code, or the password of an account (`login` as it was typed). */
export type Guess = { at: 'access code' } | { at: 'password'; login: string }

/** One account, from anywhere. */
const OF_ACCOUNT: Delays = { freeTries: 5, firstSeconds: 1, longestSeconds: 15 * 60, forgetSeconds: 86_400 }
/** One address, at whatever account. */
const OF_ADDRESS: Delays = { freeTries: 10, firstSeconds: 2, longestSeconds: 15 * 60, forgetSeconds: 86_400 }
/** Everybody together. Short waits: the administrators who come from a new place wait with the guessers. */
const OF_ALL: Delays = { freeTries: 50, firstSeconds: 1, longestSeconds: 60, forgetSeconds: 3600 }

const TOO_MANY = 'Too many tries. Please wait a moment and try again.'

/**
 * Counts a guess before it is checked, whatever RATE_LIMITS says: by account, by address and as a whole. Places from which
 * an administrator has come in have counts of their own (decision 24), so a flood of guesses locks nobody out there.
 *
 * @throws TooManyRequests while a delay is running, also for a good guess
 */
export async function countGuess(context: Context, guess: Guess, origin: Origin): Promise<void> {
  const now = context.clock.now()
  for (const { key, place, delays } of countsOf(context, guess, origin)) {
    const { freeAt } = await takeTry(context.db, key, place, now, delays)
    if (freeAt === undefined) continue
    const event = { event: 'limit_reached', limit: 'everybody', call: `admin log-in: ${guess.at}` } as const
    logSecurity(context.log, event, null, origin)
    throw new TooManyRequests(freeAt.getTime() - now.getTime(), TOO_MANY)
  }
}

/** It was no wrong guess, but nobody is in yet: the place stays as unknown as it was. */
export async function takeGuessBack(context: Context, guess: Guess, origin: Origin): Promise<void> {
  for (const { key, place } of countsOf(context, guess, origin))
    await takeTryBack(context.db, key, place, context.clock.now())
}

/** An administrator came in: the place is known from now on, and its wrong guesses are forgotten. */
export async function knowPlaceOf(context: Context, login: string, origin: Origin): Promise<void> {
  const guesses: Guess[] = [{ at: 'access code' }, { at: 'password', login }]
  for (const { key, place } of guesses.flatMap((guess) => countsOf(context, guess, origin)))
    await knowPlace(context.db, [key], place, context.clock.now())
}

function countsOf(context: Context, guess: Guess, origin: Origin) {
  const keyOf = (name: string) => context.secrets.sign(name, `guesses of administrators: ${guess.at}`)
  const place = origin.place.slice(0, 100)
  return [
    ...(guess.at === 'password'
      ? [{ key: keyOf(`account ${guess.login.trim().toLowerCase()}`), place, delays: OF_ACCOUNT }]
      : []),
    { key: keyOf(`address ${place}`), place, delays: OF_ADDRESS },
    { key: keyOf('everybody'), place, delays: OF_ALL },
  ]
}
