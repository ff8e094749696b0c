import { ApiError } from '#web/platform/api/errors.ts'
import type { Draft } from './new-draft.ts'
import { badRecipient } from '../../crm/contacts/recipients.ts'

/** The errors of a draft, by field, with the server's own messages. */
export type DraftFaults = Partial<Record<'to' | 'cc' | 'bcc' | 'subject' | 'content', string>>

const BAD_ADDRESS = 'Please enter a valid email address'

export function checkDraft({ to, cc, bcc, subject, text }: Draft): DraftFaults {
  const faults: DraftFaults = {}
  if (to.trim() === '') faults.to = 'Please enter an email address'
  else if (badRecipient(to) !== null) faults.to = BAD_ADDRESS
  if (badRecipient(cc) !== null) faults.cc = BAD_ADDRESS
  if (badRecipient(bcc) !== null) faults.bcc = BAD_ADDRESS
  if (subject.trim() === '') faults.subject = 'Please enter a subject'
  if (text.trim() === '') faults.content = 'Please write something'
  return faults
}

/** The same mail twice within this time is an accidental click. */
const DUPLICATE_MS = 2000

export type LastSend = { draft: Draft; at: number } | null

export function isDuplicate(last: LastSend, draft: Draft, now: number): boolean {
  if (last === null || now - last.at >= DUPLICATE_MS) return false
  const { to, subject, text } = last.draft
  return to === draft.to && subject === draft.subject && text === draft.text
}

/** True if the mailbox must be set up before anything can be sent. */
export function wantsSettings(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.code === 'SMTP_NOT_CONFIGURED') return true
  // Whole words only: mail servers mention names such as "gsmtp" in their answers.
  return error.status === 400 && /\bsmtp\b|\bemail settings\b|\bconfigure/i.test(error.detail)
}
