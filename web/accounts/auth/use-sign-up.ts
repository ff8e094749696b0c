import { useState } from 'react'
import { useNavigate } from 'react-router'
import { newAccounts, type Registration } from '#contract/accounts/new-accounts.ts'
import { call } from '#web/platform/api/call.ts'
import { paths } from '#web/platform/paths.ts'
import { toast } from '#web/platform/ui/toast.ts'
import {
  type Answers,
  firstOpenStep,
  NO_ANSWERS,
  registrationOf,
  type Step,
  stepAt,
  stepOfFault,
  STEPS,
} from './steps.ts'
import { auth } from '#contract/accounts/auth.ts'
import { registrationSentence } from './sentences.ts'
import { failed, type Outcome } from './session-store.ts'
import { readJson } from '#web/platform/api/errors.ts'
import { takeReferralCode } from './noted-code.ts'

const LAST = STEPS.length - 1

export type SignUp = {
  answers: Answers
  /** Counts from 0. */
  step: number
  question: Step
  isLast: boolean
  /** What is wrong with this step's answer. */
  fault: string | null
  /** What the server has said that belongs to no single step. */
  refusal: string | null
  busy: boolean
  answer: (change: Partial<Answers>) => void
  previous: () => void
  /** Goes on when the answer may stand; on the last step it creates the account. */
  next: () => void
}

/** The course of the wizard: its answers, where it stands and what is wrong. */
export function useSignUp(open: boolean, onDone: () => void): SignUp {
  const navigate = useNavigate()
  const [answers, setAnswers] = useState(NO_ANSWERS)
  const [step, setStep] = useState(0)
  const [fault, setFault] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // After the server has sent the user back to one answer, Next leads straight to the end again.
  const [mending, setMending] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  if (open !== wasOpen) {
    // Opened: what was kept is there again. Closed: the passwords go.
    const kept = readKeptAnswers()
    setWasOpen(open)
    setAnswers(kept.answers)
    setStep(kept.step)
    setFault(null)
    setRefusal(null)
    setMending(false)
  }
  const question = stepAt(step)

  const goTo = (target: number, why: string | null = null) => {
    keepAnswers(answers, target)
    setStep(target)
    setFault(why)
    setRefusal(null)
  }

  const forward = () => goTo(mending ? Math.max(step + 1, firstOpenStep(answers)) : step + 1)

  /** Goes on unless somebody has this address or user name already. The end of the sign-up makes sure of it. */
  const forwardIfAvailable = async (asked: { email: string } | { username: string }) => {
    setBusy(true)
    try {
      const why = await whyTaken(asked)
      if (why === null) forward()
      else setFault(why)
    } finally {
      setBusy(false)
    }
  }

  const create = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      const outcome = await register(registrationOf(answers))
      if (outcome.ok) return succeed()
      const place = stepOfFault(outcome.fields ?? {})
      if (place === null) return setRefusal(outcome.message || 'Registration failed')
      setMending(true)
      goTo(place.index, place.index === EMAIL_STEP ? outcome.message : place.why)
    } catch {
      toast.error('An error occurred during registration')
    } finally {
      setBusy(false)
    }
  }

  const succeed = () => {
    forgetAnswers()
    toast.success('Registration successful! You can now log in with your credentials.')
    onDone()
    void navigate(paths.login, { state: { email: answers.email.trim() } })
  }

  return {
    answers,
    step,
    question,
    isLast: step === LAST,
    fault,
    refusal,
    busy,
    answer: (change) => {
      const changed = { ...answers, ...change }
      keepAnswers(changed, step)
      setAnswers(changed)
      setFault(null)
    },
    previous: () => goTo(Math.max(0, step - 1)),
    next: () => {
      if (busy) return
      const why = question.fault(answers)
      if (why !== null) setFault(why)
      else if (step === LAST) void create()
      else if (question.field === 'email') void forwardIfAvailable({ email: answers.email.trim() })
      else if (question.field === 'username') void forwardIfAvailable({ username: answers.username.trim() })
      else forward()
    },
  }
}

/** Why this cannot be taken; null where it can, or where nobody can say at the moment. */
async function whyTaken(asked: { email: string } | { username: string }): Promise<string | null> {
  try {
    const { available, why } = await call(newAccounts.checkAvailability, { body: asked })
    return available ? null : why
  } catch {
    return null
  }
}

/** Here the sentence of the error catalogue stands, not the server's own. */
const EMAIL_STEP = STEPS.findIndex(({ field }) => field === 'email')

/** Opens an account. */
async function register(input: Registration): Promise<Outcome> {
  try {
    const { token } = await call(newAccounts.register, { body: input })
    // The user logs in by hand: the session that came with the account would only stand in their list of sessions.
    void call(auth.logout, { token }).catch(() => undefined)
    return { ok: true }
  } catch (error) {
    return failed(error, registrationSentence(error))
  }
}

/** The wizard's answers outlive its closing and a reload, in this tab only. */
const KEY = 'app.signUp'

/** What was typed before, and the step to go on from: not beyond the first that needs an answer again. */
function readKeptAnswers(): { answers: Answers; step: number } {
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
function keepAnswers(answers: Answers, step: number): void {
  const { password: _, confirmation: __, ...rest } = answers
  sessionStorage.setItem(KEY, JSON.stringify({ answers: rest, step }))
}

function forgetAnswers(): void {
  sessionStorage.removeItem(KEY)
}
