import { NOT_SEARCHABLE_MAX } from '#contract/mail/email-reading.ts'

/** Says how many mails a search could not cover yet; null if it covered all. */
export function notSearchableText(count = 0): string | null {
  if (count === 0) return null
  if (count === 1) return '1 email is still being made searchable.'
  const atLeast = count >= NOT_SEARCHABLE_MAX ? 'At least ' : ''
  return `${atLeast}${count.toLocaleString('en')} emails are still being made searchable.`
}
