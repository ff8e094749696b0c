import { readJson } from '#web/platform/api/errors.ts'
import { takeReferralCode } from './noted-code.ts'
import { type Answers, firstOpenStep, NO_ANSWERS } from './steps.ts'

/** The wizard's answers outlive its closing and a reload, in this tab only. */
const KEY = 'app.signUp'

/** What was typed before, and the step to go on from: not beyond the first that needs an answer again. */
export function readKeptAnswers(): { answers: Answers; step: number } {
  const kept = readJson(sessionStorage.getItem(KEY) ?? '')
  const { step, answers = {} } = (kept ?? {}) as { step?: unknown; answers?: Partial<Answers> }
  const whole = { ...NO_ANSWERS, ...answers }
  // The link that led here counts more than an older answer.
  const code = takeReferralCode()
  if (code !== null) {
    whole.referralCode = code
    keepAnswers(whole, typeof step === 'number' ? step : 0)
  }
  const last = typeof step === 'number' && Number.isInteger(step) && step > 0 ? step : 0
  return { answers: whole, step: Math.min(last, firstOpenStep(whole)) }
}

/** Keeps everything but the passwords: those belong into no storage. */
export function keepAnswers(answers: Answers, step: number): void {
  const { password: _, confirmation: __, ...rest } = answers
  sessionStorage.setItem(KEY, JSON.stringify({ answers: rest, step }))
}

export function forgetAnswers(): void {
  sessionStorage.removeItem(KEY)
}
