import type { Batch } from '#contract/outreach.ts'
import { toast } from '#web/ui/toast.ts'
import { endingOf } from './run-text.ts'

// Per tab, not per page: a run goes on while its user looks at something else.
const seenUnderWay = new Set<number>()
const announced = new Set<number>()

/** Follows a run: the end of one that this tab has seen under way is said once, wherever the user is then. */
export function noteRun(run: Batch): void {
  if (!run.done) seenUnderWay.add(run.batch_id)
  else if (seenUnderWay.has(run.batch_id)) announceEnd(run)
}

/** Says how a run has ended, once. */
export function announceEnd(run: Batch): void {
  if (announced.has(run.batch_id)) return
  announced.add(run.batch_id)
  const { sent, errors } = run.summary
  const kind = errors === 0 ? 'success' : sent === 0 ? 'error' : 'info'
  toast[kind](endingOf(run))
}
