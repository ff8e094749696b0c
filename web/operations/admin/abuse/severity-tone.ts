import { SEVERITY_STEPS } from '#contract/accounts/notifications.ts'
import type { BadgeTone } from '#web/platform/ui/Badge.tsx'

/** The colour of a severity or a priority, 1 to 5: red, orange, yellow, else blue. */
export function severityTone(severity: number): BadgeTone {
  if (severity >= SEVERITY_STEPS.red) return 'red'
  if (severity >= SEVERITY_STEPS.orange) return 'orange'
  return severity >= SEVERITY_STEPS.yellow ? 'amber' : 'blue'
}
