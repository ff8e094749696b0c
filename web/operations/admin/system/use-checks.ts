import { useEffect, useState } from 'react'
import {
  CHECK_NAMES,
  type CheckName,
  type CheckReport,
  systemHealth,
} from '#contract/operations/system-health.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { adminCall } from '../admin-calls.ts'

/** The slowest check gives up before this (ms). */
const TIMEOUT_MS = 40_000

/** What is known of a check: nothing yet, its report, or why none came. */
export type Outcome = { report: CheckReport } | { fault: string }

type Outcomes = ReadonlyMap<CheckName, Outcome>

export type Checks = {
  outcomes: Outcomes
  /** Those of the last round that is over. */
  settled: Outcomes
  /** Checks of this round that have not come back. */
  open: number
  /** When the round was over; null while it is not. */
  doneAt: Date | null
  again: () => void
}

/** Runs every check beside the others, and shows each as it comes back. Until then what was known before stays. */
export function useChecks(): Checks {
  const [round, setRound] = useState(0)
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [settled, setSettled] = useState<Outcomes>(new Map())
  const [open, setOpen] = useState<number>(CHECK_NAMES.length)
  const [doneAt, setDoneAt] = useState<Date | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const checked = CHECK_NAMES.map(async (name) => {
      const outcome = await adminCall(systemHealth.check, {
        params: { name },
        query: { again: round > 0 ? 'true' : 'false' },
        signal,
        timeoutMs: TIMEOUT_MS,
      }).then(
        (report): Outcome => ({ report }),
        (error: unknown): Outcome => ({ fault: sentenceOf(error, 'This check did not come back.') }),
      )
      if (signal.aborted) return outcome
      setOutcomes((known) => new Map(known).set(name, outcome))
      setOpen((count) => count - 1)
      return outcome
    })
    void Promise.all(checked).then((all) => {
      if (signal.aborted) return
      setSettled(new Map(all.map((outcome, place) => [CHECK_NAMES[place] ?? 'database', outcome])))
      setDoneAt(new Date())
    })
    return () => leaving.abort()
  }, [round])
  const again = () => {
    setOpen(CHECK_NAMES.length)
    setDoneAt(null)
    setRound((before) => before + 1)
  }
  return { outcomes, settled, open, doneAt, again }
}
