import type { Priority } from '#contract/crm/todos.ts'

export const PRIORITY_LABELS: Record<Priority, string> = { high: 'High', medium: 'Medium', low: 'Low' }

/** A longer description is cut, with Read More. */
const PREVIEW_WORDS = 20

/** The beginning of a description; null if it is short enough to show whole. */
export function descriptionPreview(description: string): string | null {
  const words = description.trim().split(/\s+/)
  return words.length <= PREVIEW_WORDS ? null : `${words.slice(0, PREVIEW_WORDS).join(' ')}…`
}

/** A calendar day as "Mar 09, 2026". */
export function dayText(day: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return parts.format(new Date(`${day}T00:00:00Z`))
}

/** True for a day in the past, not for today. Both are calendar days, `2026-03-09`. */
export function isOverdue(day: string | null, today: string): boolean {
  return day !== null && day < today
}
