import type { LiveEvent } from '#contract/platform/events.ts'

export type Step = { text: string; value: number | undefined }

/** Reading is the first part of an import and takes this share of the bar; how long saving takes is unknown. */
const READ_SHARE = 0.8

/** The progress of an upload: a label and a value from 0 to 100, undefined while the server checks the file. */
export function uploadStep(sent: number, size: number): Step {
  if (sent >= size) return { text: 'Looking at the file…', value: undefined }
  const part = sent / Math.max(1, size)
  return { text: `Uploading, ${Math.floor(part * 100)}%`, value: part * 100 }
}

/** The progress of an import; the value is undefined while the end is unknown. */
export function importStep(told: LiveEvent | null): Step {
  const { rows = 0, bytes = 0, total_bytes: total = 0 } = told ?? {}
  if (total > 0 && bytes >= total)
    return { text: `Saving ${rows.toLocaleString('en')} rows…`, value: undefined }
  if (rows === 0) return { text: 'Reading the file…', value: undefined }
  const read = total === 0 ? 0 : bytes / total
  return { text: `Reading, ${rows.toLocaleString('en')} rows so far`, value: read * READ_SHARE * 100 }
}

/** The progress of the dry run. */
export function checkStep(told: LiveEvent | null): Step {
  const { rows = 0, bytes = 0, total_bytes: total = 0 } = told ?? {}
  const text = rows === 0 ? 'Checking the file…' : `Checking, ${rows.toLocaleString('en')} rows so far`
  return { text, value: total === 0 || bytes >= total ? undefined : (bytes / total) * 100 }
}
