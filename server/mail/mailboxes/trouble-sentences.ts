import type { EmailSettings } from '#contract/mail/mailboxes.ts'
import type { Mailbox } from './store.ts'
import type { TroubleKind } from './tables.ts'
import { DOUBTED, type MailboxTrouble, type refusedActions } from './troubles-store.ts'

type Folder = EmailSettings['folders'][number]
type RefusedActions = Awaited<ReturnType<typeof refusedActions>>[number]

/** A difference between what the server counts and what it lists is told from the second pass on; a folder tells its own. */
const TOLD_FROM: Partial<Record<TroubleKind, number>> = { missing: 2, folder: Infinity }

/** From how many tries on a trouble is told; others may be over in the next pass. */
export function toldFrom(kind: TroubleKind): number {
  return TOLD_FROM[kind] ?? 1
}

/** Whether the page tells this trouble. */
export function isTold({ kind, tries }: Pick<MailboxTrouble, 'kind' | 'tries'>): boolean {
  return tries >= toldFrom(kind)
}

/** Troubles with reading come before those with the user's changes, their sent emails and drafts. */
const IN_ORDER: readonly TroubleKind[] = [
  'emptied',
  'unlisted',
  'folders',
  'missing',
  'actions',
  'changes',
  'sent',
  'sent_copy',
  'drafts',
  'draft',
]
const rankOf = ({ kind }: MailboxTrouble) => IN_ORDER.indexOf(kind)

/** One sentence for each kind of trouble and folder, with the server's words. */
export function presentTroubles(
  troubles: readonly MailboxTrouble[],
  refused: readonly RefusedActions[],
): EmailSettings['troubles'] {
  const told = troubles.filter(isTold).toSorted((one, other) => rankOf(one) - rankOf(other))
  const alike = Map.groupBy(told, ({ kind, path }) => JSON.stringify([kind, path]))
  const sentences = [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const next = Math.min(...group.map((each) => nextLook(each).getTime()))
    return [
      {
        sentence: SENTENCES[first.kind]({ ...first, count: group.length }),
        next_try_at: new Date(next).toISOString(),
      },
    ]
  })
  return [
    ...sentences,
    ...refused.map(({ path, mails, reason, next_try_at: at }) => ({
      sentence: `Your changes to ${mails === 1 ? '1 email' : `${mails.toLocaleString('en')} emails`} in ${path} could not be made on the server: ${reason}`,
      next_try_at: at.toISOString(),
    })),
  ]
}

function nextLook({ kind, since, next_try_at: at }: MailboxTrouble): Date {
  return DOUBTED.includes(kind) ? since : at
}

type Told = { path: string; reason: string; count: number }

const SENTENCES: Record<TroubleKind, (told: Told) => string> = {
  actions: ({ reason }) => `Your changes could not be made on the server: ${reason}`,
  drafts: ({ reason }) => `Drafts could not be stored on the server: ${reason}`,
  draft: ({ reason, count }) =>
    `${count === 1 ? 'The draft' : `${count} drafts`} could not be stored on the server: ${reason}`,
  sent: ({ reason }) => `Copies of sent emails could not be stored on the server: ${reason}`,
  sent_copy: ({ reason, count }) =>
    `${count === 1 ? 'The copy of a sent email' : `Copies of ${count} sent emails`} could not be stored on the server: ${reason}`,
  folders: ({ reason }) => `The list of folders could not be read: ${reason}`,
  folder: ({ path, reason }) => `The folder ${path} cannot be read. ${reason}`,
  changes: ({ path, reason }) =>
    `Changes from your other email apps${path && ` in ${path}`} could not be read: ${reason}`,
  // The reason is how many emails the folder had.
  emptied: ({ path, reason }) =>
    `The server says ${path} is empty, but it had ${reason === '1' ? '1 email' : `${reason} emails`}. ${reason === '1' ? 'Howl keeps showing it for now; if the folder stays empty for 10 minutes, it disappears' : 'Howl keeps showing them for now; if the folder stays empty for 10 minutes, they disappear'} here too.`,
  // The reason names the folders.
  unlisted: ({ reason }) => {
    const isOne = reason.startsWith('the folder ')
    return `The server no longer lists ${reason}. ${isOne ? 'Its' : 'Their'} emails stay in Howl. If this lasts for 10 minutes, Howl assumes that ${isOne ? 'the folder was' : 'the folders were'} deleted on the server and stops checking.`
  },
  // The reason is how many of how many.
  missing: ({ path, reason }) => `${reason} emails in ${path} could not be read yet.`,
}

/** What keeps an account from working as it should, in sentences; what matters most to the user comes first. */
export function accountTroubles(
  { read_error: unread, last_error: unsent }: Mailbox,
  troubles: EmailSettings['troubles'],
  folders: readonly Folder[],
): string[] {
  const inbox = folders.filter(({ role }) => role === 'inbox')
  const others = folders.filter(({ role }) => role !== 'inbox')
  return [
    ...[unread, unsent].filter((words) => words !== null),
    // The account cannot be read because its inbox cannot: that is one trouble.
    ...(unread === null ? brokenOf(inbox) : []),
    ...asideOf(inbox),
    ...brokenOf(others),
    ...asideOf(others),
    ...troubles.map(({ sentence }) => sentence),
  ]
}

const brokenOf = (folders: readonly Folder[]) =>
  folders.flatMap(({ path, last_error: error }) =>
    error === null ? [] : [`The folder ${path} cannot be read. ${error}`],
  )

const asideOf = (folders: readonly Folder[]) =>
  folders.flatMap((folder) => (folder.quarantined > 0 ? [asideSentence(folder)] : []))

function asideSentence({ path, quarantined, quarantine_reason: reason }: Folder): string {
  const emails = quarantined === 1 ? '1 email' : `${quarantined.toLocaleString('en')} emails`
  return `${emails} in ${path} could not be read yet. ${reason ?? ''}`.trim()
}
