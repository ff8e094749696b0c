import type { EmailSettings } from '#contract/mailboxes.ts'
import type { Mailbox } from './store.ts'
import type { TroubleKind } from './tables.ts'
import type { MailboxTrouble, refusedActions } from './troubles-store.ts'

type Folder = EmailSettings['folders'][number]
type RefusedActions = Awaited<ReturnType<typeof refusedActions>>[number]

/** A difference between what the server counts and what it lists is told from the second pass on. */
const TOLD_FROM: Partial<Record<TroubleKind, number>> = { missing: 2 }

/** From how many tries on a trouble is told; others may be over in the next pass. */
export function toldFrom(kind: TroubleKind): number {
  return TOLD_FROM[kind] ?? 1
}

/** Whether the page tells this trouble. */
export function isTold({ kind, tries }: Pick<MailboxTrouble, 'kind' | 'tries'>): boolean {
  return tries >= toldFrom(kind)
}

/** One sentence for each kind of trouble and folder, with the server's words. */
export function presentTroubles(
  troubles: readonly MailboxTrouble[],
  refused: readonly RefusedActions[],
): EmailSettings['troubles'] {
  const told = troubles.filter(isTold)
  const alike = Map.groupBy(told, ({ kind, path }) => JSON.stringify([kind, path]))
  const sentences = [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const next = Math.min(...group.map(({ next_try_at: at }) => at.getTime()))
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
  changes: ({ reason }) => `Changes from your other email apps could not be read: ${reason}`,
  // The reason is how many emails the folder had.
  emptied: ({ path, reason }) =>
    `The server says ${path} is empty, but it had ${reason === '1' ? '1 email' : `${reason} emails`}. Howl keeps showing what it has and checks again.`,
  // The reason is how many of how many.
  missing: ({ path, reason }) => `${reason} emails in ${path} could not be read yet.`,
}

/** What keeps an account from working as it should, in a sentence; null if nothing does. */
export function accountTrouble(
  row: Mailbox | undefined,
  troubles: EmailSettings['troubles'],
  folders: readonly Folder[],
): string | null {
  const own = row?.last_error ?? row?.read_error ?? troubles[0]?.sentence
  if (own !== undefined) return own
  const broken = folders.find(({ last_error: error }) => error !== null)
  if (broken !== undefined) return `The folder ${broken.path} cannot be read. ${broken.last_error}`
  const aside = folders.find(({ quarantined }) => quarantined > 0)
  return aside === undefined ? null : asideSentence(aside)
}

function asideSentence({ path, quarantined, quarantine_reason: reason }: Folder): string {
  const emails = quarantined === 1 ? '1 email' : `${quarantined.toLocaleString('en')} emails`
  return `${emails} in ${path} could not be read yet. ${reason ?? ''}`.trim()
}
