import { CircleCheck, CircleHelp, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { HealthState } from '#contract/operations/system-health.ts'
import type { BadgeTone } from '#web/platform/ui/Badge.tsx'

/** How a state is shown: its word, and a sign and a colour besides. */
export const STATE_LOOKS: Record<
  HealthState,
  { word: string; tone: BadgeTone; Icon: LucideIcon; colour: string }
> = {
  failure: { word: 'Failure', tone: 'red', Icon: CircleX, colour: 'text-danger' },
  warning: { word: 'Warning', tone: 'amber', Icon: TriangleAlert, colour: 'text-amber' },
  unknown: { word: 'Unknown', tone: 'gray', Icon: CircleHelp, colour: 'text-ink-2' },
  ok: { word: 'OK', tone: 'green', Icon: CircleCheck, colour: 'text-green' },
}
