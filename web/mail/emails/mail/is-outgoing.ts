import type { Email } from '#contract/mail/emails.ts'

/** True if the user wrote this mail. An archived or deleted mail still knows its original folder. */
export function isOutgoing({ status, delivery, original_folder }: Email): boolean {
  if (delivery !== null || status === 'sent' || status === 'draft' || status === 'scheduled') return true
  return original_folder === 'sent' || original_folder === 'drafts'
}
