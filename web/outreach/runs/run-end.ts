import type { Batch } from '#contract/outreach/runs.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { endingOf } from './run-text.ts'

// Per tab, not per page: a run continues while the user is on another page.
const seenUnderWay = new Set<number>()
const announced = new Set<number>()

/** Watches a run: if this tab saw it in progress, its end is reported once, on any page. */
export function noteRun(run: Batch): void {
  if (!run.done) seenUnderWay.add(run.batch_id)
  else if (seenUnderWay.has(run.batch_id)) announceEnd(run)
}

/** Reports how a run ended, once. */
export function announceEnd(run: Batch): void {
  if (announced.has(run.batch_id)) return
  announced.add(run.batch_id)
  const { sent, errors } = run.summary
  const kind = errors === 0 ? 'success' : sent === 0 ? 'error' : 'info'
  toast[kind](endingOf(run))
}
