import { test } from 'vitest'
import { expectNobodyIn, guessLogInCode, guessResetCode } from './guess-codes.ts'

const PLAN = { guesses: 10_000, addresses: 1000 }

test.each(['on', 'off'] as const)(
  '10,000 guesses at the code of a password reset from 1,000 addresses do not get in, with RATE_LIMITS=%s',
  async (limits) => {
    const guessed = await guessResetCode({ ...PLAN, limits })
    process.stdout.write(`Code of a reset, RATE_LIMITS=${limits}: ${JSON.stringify(guessed)}\n`)
    expectNobodyIn(guessed, PLAN.guesses, PLAN.guesses)
  },
)

test.each(['on', 'off'] as const)(
  '10,000 guesses at the code of a log-in from 1,000 addresses do not get in, with RATE_LIMITS=%s',
  async (limits) => {
    const guessed = await guessLogInCode({ ...PLAN, limits })
    process.stdout.write(`Code of a log-in, RATE_LIMITS=${limits}: ${JSON.stringify(guessed)}\n`)
    expectNobodyIn(guessed, PLAN.guesses, 5)
  },
)
