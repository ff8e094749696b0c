import type { Email } from '#contract/emails.ts'

/** Whether the user has written this mail. Put away, a mail keeps the folder that it came from. */
export function isOutgoing({ status, delivery, original_folder }: Email): boolean {
  if (delivery !== null || status === 'sent' || status === 'draft' || status === 'scheduled') return true
  return original_folder === 'sent' || original_folder === 'drafts'
}
