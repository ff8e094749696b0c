import type { EmailSettings } from '#contract/mailboxes.ts'

/** A problem that keeps the user from their mail, in one line; null if there is none. */
export function mailboxProblem(settings: EmailSettings | undefined): string | null {
  if (settings === undefined || !settings.configured) return null
  if (settings.last_error !== null) return `There is a problem with your mailbox. ${settings.last_error}`
  if (settings.practice) return null
  const folder = settings.folders.find(({ last_error }) => last_error !== null)
  return folder === undefined ? null : `The folder ${folder.path} cannot be read. ${folder.last_error}`
}
