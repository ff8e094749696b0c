import type { LiveEvent } from '#contract/events.ts'

export type Step = { text: string; value: number | undefined }

/** Of importing a file reading is the first part; how long saving takes nobody knows. */
const READ_SHARE = 0.8

/** How far an upload is: words for the user and a value of 0 to 100; undefined while the server looks at the file. */
export function uploadStep(sent: number, size: number): Step {
  if (sent >= size) return { text: 'Looking at the file…', value: undefined }
  const part = sent / Math.max(1, size)
  return { text: `Uploading, ${Math.floor(part * 100)}%`, value: part * 100 }
}

/** How far an import is; undefined where the end is not known. */
export function importStep(told: LiveEvent | null): Step {
  const { rows = 0, bytes = 0, total_bytes: total = 0 } = told ?? {}
  if (total > 0 && bytes >= total)
    return { text: `Saving ${rows.toLocaleString('en')} rows…`, value: undefined }
  if (rows === 0) return { text: 'Reading the file…', value: undefined }
  const read = total === 0 ? 0 : bytes / total
  return { text: `Reading, ${rows.toLocaleString('en')} rows so far`, value: read * READ_SHARE * 100 }
}

/** How far the dry run of a file is. */
export function checkStep(told: LiveEvent | null): Step {
  const { rows = 0, bytes = 0, total_bytes: total = 0 } = told ?? {}
  const text = rows === 0 ? 'Checking the file…' : `Checking, ${rows.toLocaleString('en')} rows so far`
  return { text, value: total === 0 || bytes >= total ? undefined : (bytes / total) * 100 }
}
