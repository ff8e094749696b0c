import type { LiveEvent } from '#contract/events.ts'

/** Of the whole way the upload is the first part, reading the second; how long saving takes nobody knows. */
const UPLOAD_SHARE = 0.3
const READ_SHARE = 0.5

export type Step = { words: string; value: number | undefined }

/** How far an import is: words for the user and a value of 0 to 100, undefined where the end is not known. */
export function importStep(sent: number, size: number, told: LiveEvent | null): Step {
  if (told === null && sent < size) {
    return { words: `Uploading, ${percent(sent, size)}%`, value: (sent / size) * UPLOAD_SHARE * 100 }
  }
  const { rows = 0, bytes = 0, total_bytes: total = 0 } = told ?? {}
  if (total > 0 && bytes >= total)
    return { words: `Saving ${rows.toLocaleString('en')} rows…`, value: undefined }
  const read = total === 0 ? 0 : bytes / total
  return {
    words: `Reading, ${rows.toLocaleString('en')} rows so far`,
    value: (UPLOAD_SHARE + read * READ_SHARE) * 100,
  }
}

const percent = (part: number, whole: number) => Math.floor((part / Math.max(1, whole)) * 100)
