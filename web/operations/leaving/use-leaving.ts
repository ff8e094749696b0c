import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { leaving } from '#contract/operations/leaving.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { paths } from '#web/platform/paths.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { type Answers, feedbackOf, firstMissing, type Missing, NO_ANSWERS, STEPS } from './answers.ts'

/** The feedback dialog: what was answered, where it is, and sending it. */
export function useLeaving() {
  const { leave } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [step, setStep] = useState(0)
  const [answers, setAnswers] = useState(NO_ANSWERS)
  const [missing, setMissing] = useState<Missing | null>(null)
  const [refusals, setRefusals] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // Not a state: a second press in the same moment must find it changed.
  const sending = useRef<AbortController>(undefined)

  const goTo = (next: number) => {
    setError(null)
    setStep(Math.min(Math.max(next, 0), STEPS.length - 1))
  }

  const send = async (signal: AbortSignal) => {
    const feedback = feedbackOf(answers)
    if (feedback === null) return
    try {
      await call(leaving.giveFeedback, { body: feedback, signal })
    } catch {
      if (signal.aborted) return
      return setError('Failed to submit feedback. Please try again.')
    }
    // Whoever closed the dialog meanwhile keeps the account, also when it is open again.
    if (signal.aborted) return
    toast.success('Thank you for your feedback!')
    try {
      await call(leaving.deleteAccount)
    } catch (error) {
      // The last administrator reads why not, and what to do first.
      const isLast = error instanceof ApiError && error.code === 'CONFLICT'
      return setError(isLast ? error.detail : 'Failed to delete account. Please try again.')
    }
    leave()
    toast.success('Account deleted successfully. Thank you for your feedback!')
    await navigate(paths.home, { replace: true })
  }

  return {
    open,
    step,
    answers,
    missing,
    /** How often an answer was missing: each time the user is led to it. */
    refusals,
    error,
    busy,
    show: () => {
      setError(null)
      setMissing(null)
      setStep(0)
      setOpen(true)
    },
    close: () => {
      sending.current?.abort()
      setOpen(false)
    },
    answer: (given: Partial<Answers>) => {
      setMissing(null)
      setAnswers((before) => ({ ...before, ...given }))
    },
    previous: () => goTo(step - 1),
    next: () => goTo(step + 1),
    submit: async () => {
      if (sending.current !== undefined) return
      const first = firstMissing(answers)
      setMissing(first)
      if (first !== null) {
        setRefusals((count) => count + 1)
        return goTo(STEPS.indexOf(first.step))
      }
      sending.current = new AbortController()
      setBusy(true)
      setError(null)
      await send(sending.current.signal).finally(() => {
        sending.current = undefined
        setBusy(false)
      })
    },
  }
}

export type Leaving = ReturnType<typeof useLeaving>
