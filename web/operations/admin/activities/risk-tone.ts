import { RISK_STEPS } from '#contract/accounts/activities.ts'
import type { BadgeTone } from '#web/platform/ui/Badge.tsx'

/** The colour of a risk: red, yellow, orange, else green. */
export function riskTone(score: number): BadgeTone {
  if (score >= RISK_STEPS.red) return 'red'
  if (score >= RISK_STEPS.yellow) return 'amber'
  return score >= RISK_STEPS.orange ? 'orange' : 'green'
}
