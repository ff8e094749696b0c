import { loadFolders } from '../../mailboxes/mailboxes.ts'
import { analyzeAfterSync } from './analyze-grown-tables.ts'
import { appendDrafts } from './append-drafts.ts'
import { appendSent } from './append-sent.ts'
import { foldersOf, INBOX, listFolders, type Saved } from './list-folders.ts'
import { pushActions } from './push-actions.ts'
import { loadPutAside, runBeside } from './put-aside.ts'
import { readAll, readFirst, readFresh } from './read-folders.ts'
import { reconcileLocations } from './reconcile-locations.ts'
import { hasRelocations } from './relocations-store.ts'
import { hasOlder } from './sync-folder.ts'
import { accountOf, PassOver, startPass, type SyncPass } from './sync-pass.ts'

/** One account may occupy a slot for this long; then the next account is synced, and the rest follows later. */
const PASS_MS = 5 * 60_000

/** `actions`: only push pending actions. */
export type PassScope = { folders: 'inbox' | 'all' | 'actions' }

/**
 * The result of a pass. `more`: messages are still to be fetched. `unreconciled`: messages are missing that the next
 * pass over all folders may find.
 */
export type PassResult = { more: boolean; unreconciled: boolean }

/**
 * Syncs an account on an open connection: new messages of all folders are fetched, the inbox first, then drafts and
 * sent messages are appended, then older messages and missing bodies are fetched. Every step besides reading may fail
 * without holding up the others. A failure in one folder is recorded there and does not hold up the others either.
 *
 * @throws ImapFailure when the account as a whole, or its inbox, cannot be read; MailboxTaken
 */
export async function syncMailbox(pass: SyncPass, scope: PassScope): Promise<PassResult> {
  startPass(pass, PASS_MS)
  try {
    await loadPutAside(pass)
    const result = await syncFolders(pass, scope)
    const inboxFailure = pass.failures.get(INBOX.path)
    if (inboxFailure !== undefined) throw inboxFailure
    return result
  } catch (error) {
    if (error instanceof PassOver) return { more: true, unreconciled: false }
    throw error
  } finally {
    analyzeAfterSync(pass)
  }
}

async function syncFolders(pass: SyncPass, { folders: scope }: PassScope): Promise<PassResult> {
  const { context, mailbox } = pass
  const startedAt = context.clock.now()
  const saved: Saved = new Map(
    (await loadFolders(context.db, mailbox.user_id, mailbox.id)).map((row) => [row.path, row]),
  )
  const appendDraftsBeside = async () => void (await runBeside(pass, 'drafts', () => appendDrafts(pass)))
  // Pending actions first, so that the server's old state overwrites nothing. Those that wait are guarded while reading.
  await runBeside(pass, 'actions', () => pushActions(pass))
  if (scope === 'actions') {
    await appendDraftsBeside()
    return { more: false, unreconciled: false }
  }
  if (scope === 'inbox') {
    await readAll(pass, [INBOX], saved, null, appendDraftsBeside)
    return { more: false, unreconciled: await hasRelocations(context.db, accountOf(pass)) }
  }
  // The inbox comes first, even before the other folders are listed.
  const isFirst = !saved.has(INBOX.path)
  const inbox = await readFresh(pass, INBOX, saved)
  // In an account that was just connected, people want to see messages before we list its folders.
  if (isFirst && inbox !== null && hasOlder(inbox)) await readFirst(inbox, saved)
  const listed = await runBeside(pass, 'folders', () => listFolders(pass, saved))
  const folders = listed ?? foldersOf(saved)
  let unfiled = false
  const completely = await readAll(pass, folders, saved, inbox, async () => {
    await appendDraftsBeside()
    unfiled = (await runBeside(pass, 'sent', () => appendSent(pass, folders))) ?? false
  })
  const readAllSince = completely && listed !== null ? startedAt : null
  const unreconciled = await runBeside(pass, 'changes', () => reconcileLocations(pass, readAllSince))
  return { more: unfiled, unreconciled: unreconciled ?? false }
}
