import type { Context } from '../context.ts'
import { TooManyRequests } from '../errors.ts'
import { logSecurity } from '../security/security-log.ts'
import { type Delays, knowPlace, takeTry } from './guess-store.ts'
import type { Origin } from '../http/origin.ts'
import type { UserRow } from './store.ts'

/** 1 s after the fifth failure, doubled after each further one, at most a quarter of an hour. */
const DELAYS: Delays = { freeTries: 5, firstSeconds: 1, longestSeconds: 15 * 60, forgetSeconds: 86_400 }
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
  const freeAt = await takeTry(context.db, accountOf(context, login), placeIn(origin), now, DELAYS)
  if (freeAt === null) return
  const event = { event: 'limit_reached', limit: 'account', call: 'POST /api/v1/auth/login' } as const
  logSecurity(context.log, event, user?.id ?? null, origin)
  throw new TooManyRequests(
    freeAt.getTime() - now.getTime(),
    'Too many tries to log in with this name. Please wait a moment and try again.',
  )
}

/** The owner logged in: the place becomes known, under both of the account's names. */
export async function rememberPlace(context: Context, user: UserRow, origin: Origin): Promise<void> {
  if (!context.config.rateLimits) return
  const accounts = [user.email_key, user.username_key].map((name) => accountOf(context, name))
  await knowPlace(context.db, accounts, placeIn(origin), context.clock.now())
}

function accountOf(context: Context, login: string): string {
  return context.secrets.sign(login.trim().toLowerCase(), PURPOSE)
}

const placeIn = (origin: Origin) => origin.place.slice(0, PLACE_MAX)
