import { readJson } from '#web/api/errors.ts'
import { type Answers, firstOpenStep, NO_ANSWERS } from './steps.ts'

/** The wizard's answers outlive its closing and a reload, in this tab only. */
const KEY = 'app.signUp'

/** What was typed before, and the step to go on from: not beyond the first that needs an answer again. */
export function readKeptAnswers(): { answers: Answers; step: number } {
  const kept = readJson(sessionStorage.getItem(KEY) ?? '')
  const { step, answers = {} } = (kept ?? {}) as { step?: unknown; answers?: Partial<Answers> }
  const whole = { ...NO_ANSWERS, ...answers }
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
