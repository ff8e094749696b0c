import type { FeedbackRow } from '#contract/operations/admin-feedback.ts'
import { METHOD_LABELS } from '#web/operations/leaving/answer-labels.ts'

/** Whether somebody may be contacted, and how: "By email", "Yes", "No". */
export function contactText({ contact_consent: agreed, contact_method: method }: FeedbackRow): string {
  if (!agreed) return 'No'
  return method === null || method === 'other' ? 'Yes' : `By ${METHOD_LABELS[method].toLowerCase()}`
}

/** How old the account was: "1 day", "1,200 days". */
export function ageText({ account_age_days: days }: FeedbackRow): string {
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}
