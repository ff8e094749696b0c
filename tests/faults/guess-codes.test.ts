import { test } from 'vitest'
import { expectNobodyIn, guessLogInCode, guessResetCode } from './guess-codes.ts'

// The long form of this guesses 10,000 times: guess-codes.long.test.ts.
const PLAN = { guesses: 300, addresses: 30 }
/** Each guess at log-in has its password checked, which is slow on purpose. */
const TIMEOUT_MS = 120_000

test.each(['on', 'off'] as const)(
  'guesses at the code of a password reset do not get in, with RATE_LIMITS=%s',
  async (limits) => {
    const guessed = await guessResetCode({ ...PLAN, limits })
    expectNobodyIn(guessed, PLAN.guesses, PLAN.guesses)
  },
  TIMEOUT_MS,
)

test.each(['on', 'off'] as const)(
  'of the guesses at the code of a log-in five are checked, with RATE_LIMITS=%s',
  async (limits) => {
    const guessed = await guessLogInCode({ ...PLAN, limits })
    expectNobodyIn(guessed, PLAN.guesses, 5)
  },
  TIMEOUT_MS,
)
