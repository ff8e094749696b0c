import type { EmailSettings } from '#contract/mailboxes.ts'

/** What stands between the user and their mail, in one line; null when all is well. */
export function mailboxProblem(settings: EmailSettings | undefined): string | null {
  if (settings === undefined || !settings.configured) return null
  if (settings.last_error !== null) return `There is a problem with your mailbox. ${settings.last_error}`
  if (settings.practice) return null
  const folder = settings.folders.find(({ last_error }) => last_error !== null)
  return folder === undefined ? null : `The folder ${folder.path} cannot be read. ${folder.last_error}`
}
