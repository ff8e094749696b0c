import { type Finding, HEALTH_STATES, type HealthState } from '#contract/operations/system-health.ts'

/** All is well. */
export const ok = (seen: string): Finding => ({ subject: null, state: 'ok', seen, wrong: null, mend: null })

/** Something is wrong, or soon will be. */
export const warning = (seen: string, wrong: string, mend: string): Finding => ({
  subject: null,
  state: 'warning',
  seen,
  wrong,
  mend,
})

/** Something does not work. */
export const failure = (seen: string, wrong: string, mend: string): Finding => ({
  subject: null,
  state: 'failure',
  seen,
  wrong,
  mend,
})

/** It cannot be told. */
export const unknown = (seen: string, mend: string | null = null): Finding => ({
  subject: null,
  state: 'unknown',
  seen,
  wrong: null,
  mend,
})

export const about = (subject: string, found: Finding): Finding => ({ ...found, subject })

/** The worst state among findings; `unknown` for none. */
export function worst(states: readonly HealthState[]): HealthState {
  return HEALTH_STATES.find((state) => states.includes(state)) ?? 'unknown'
}
