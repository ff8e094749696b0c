import { useEffect, useRef, useState } from 'react'
import { adminFeedback, FEEDBACK_PAGE_MAX, type FeedbackRow } from '#contract/operations/admin-feedback.ts'
import { saveFile } from '#web/platform/api/download.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { adminCall } from '../admin-calls.ts'
import { feedbackCsv, feedbackFileName } from './feedback-csv.ts'
import { type FeedbackFilters, queryOf } from './use-feedback-filters.ts'

type ExportProgress = { done: number; total: number }

/** Makes a CSV file of all feedback that matches, page by page; it can be stopped, and ends with the page. */
export function useFeedbackExport() {
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])

  const start = async (filters: FeedbackFilters) => {
    if (stop.current !== null) return
    const { signal } = (stop.current = new AbortController())
    setProgress({ done: 0, total: 0 })
    try {
      const rows = await allRows(filters, signal, setProgress)
      const file = await feedbackCsv(rows)
      if (signal.aborted) return
      saveFile(file, feedbackFileName(new Date(), currentTimeZone()))
      toast.success(`Exported ${rows.length.toLocaleString('en')} feedback entries`)
    } catch {
      if (!signal.aborted) toast.error('Failed to load feedback data')
    } finally {
      stop.current = null
      if (!signal.aborted) setProgress(null)
    }
  }
  const cancel = () => {
    stop.current?.abort()
    setProgress(null)
  }
  return { progress, start, cancel }
}

/** In the order of their ids: what comes in meanwhile comes last, so no row is missed or twice on the way. */
async function allRows(
  filters: FeedbackFilters,
  signal: AbortSignal,
  tell: (progress: ExportProgress) => void,
): Promise<FeedbackRow[]> {
  const rows: FeedbackRow[] = []
  for (let page = 1; ; page++) {
    const query = { ...queryOf(filters), page, limit: FEEDBACK_PAGE_MAX, sort: 'id' as const }
    const { feedback_data: found, total } = await adminCall(adminFeedback.details, { query, signal })
    signal.throwIfAborted()
    rows.push(...found)
    tell({ done: rows.length, total: Math.max(total, rows.length) })
    if (found.length < FEEDBACK_PAGE_MAX) return rows
  }
}
