import type { Reason } from '#contract/operations/leaving.ts'

/** A reason for leaving in one word. */
export function reasonName(reason: Reason): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
