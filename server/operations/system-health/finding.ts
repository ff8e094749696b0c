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

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Bytes as people read them: "3.2 GB". */
export function bytes(count: number): string {
  let [value, unit] = [count, 0]
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${UNITS[unit]}`
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A time span in its largest fitting unit: "3 days". */
export function span(seconds: number): string {
  const [unit, size] = STEPS.find(([, each]) => seconds >= 2 * each) ?? (['second', 1] as const)
  const value = Math.round(seconds / size)
  return `${value.toLocaleString('en')} ${unit}${value === 1 ? '' : 's'}`
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`

export const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000
