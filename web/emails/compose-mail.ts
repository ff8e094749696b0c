import type { emails } from '#contract/emails.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { ApiError, readJson } from '#web/api/errors.ts'

export type Typed = Pick<BodyInput<typeof emails.send>, 'to' | 'subject' | 'content'>

export const NOTHING_TYPED: Typed = { to: '', subject: '', content: '' }

/** The same mail twice within this time is one click too many. */
const DUPLICATE_MS = 2000

export type LastSend = { mail: Typed; at: number } | null

export function isDuplicate(last: LastSend, mail: Typed, now: number): boolean {
  if (last === null || now - last.at >= DUPLICATE_MS) return false
  return last.mail.to === mail.to && last.mail.subject === mail.subject && last.mail.content === mail.content
}

/** True where the mailbox has to be set up before anything can leave. */
export function wantsSettings(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.code === 'SMTP_NOT_CONFIGURED') return true
  // As whole words: servers sign their answers with names such as "gsmtp".
  return error.status === 400 && /\bsmtp\b|\bemail settings\b|\bconfigure/i.test(error.detail)
}

// What was typed belongs to its user: somebody else may log in to the same tab.
const keyOf = (userId: number) => `app.compose.${userId}`

/** What was typed and neither sent nor given up, in this tab. */
export function readTyped(userId: number): Typed {
  const kept = (readJson(sessionStorage.getItem(keyOf(userId)) ?? '') ?? {}) as Partial<Typed>
  return { ...NOTHING_TYPED, ...kept }
}

export function keepTyped(userId: number, typed: Typed): void {
  const isEmpty = typed.to === '' && typed.subject === '' && typed.content === ''
  if (isEmpty) return sessionStorage.removeItem(keyOf(userId))
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(typed))
  } catch {
    // A text that is too long for the storage still stands in the dialog.
  }
}
