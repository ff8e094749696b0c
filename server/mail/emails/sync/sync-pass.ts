import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { FolderRole, FolderStatus, ImapFailure, ImapSession } from '../../../platform/gateways/imap.ts'
import { holdsMailbox, loadFolders, type Mailbox, type MailboxTrouble } from '../../mailboxes/mailboxes.ts'
import type { Account } from './pending-actions-store.ts'
import type { Suspects } from './suspects.ts'
import type { Tx } from '../../../platform/database/handles.ts'
import type { UidSpace } from '../messages/locations-store.ts'

/** What a pass is opened with. */
type PassSetup = {
  context: Context
  mailbox: Mailbox
  ownKeys: ReadonlySet<string>
  /** Opens another connection after one was lost. */
  dial: () => Promise<ImapSession>
  suspects: Suspects
  signal: AbortSignal
}

type PassState = PassSetup & {
  session: ImapSession
  /** The folder that is selected read-only on `session`. */
  selected: string | null
  reconnects: number
  /** Work ends at its next safe point after this instant (milliseconds): the next account is waiting. */
  until: number
  /** Messages that were added. */
  added: number
  /** `added` when the tables were last analyzed at the end of a pass. */
  analyzed: number
  /** `added` when the tables were last due to be analyzed during a pass. */
  analyzeAsked: number
  /** What was put aside, by what it is about (`put-aside.ts`). */
  troubles: Map<string, MailboxTrouble>
  /** Why folders could not be read in this pass, by path. */
  failures: Map<string, ImapFailure>
  /** What the inbox was like when it was last inspected. */
  inbox: FolderStatus | null
  /** So many folders in a row were to be read later. */
  laterInARow: number
}

/**
 * A folder that is selected. Without UIDVALIDITY its UIDs count as lasting until they turn out to be others
 * (`hasLastingUids` false).
 */
export type OpenFolder = FolderStatus & { uidValidity: string; hasLastingUids: boolean }

/** The UIDVALIDITY of a folder for which the server says none. */
const UNSAID_VALIDITY = '0'

/** One sync pass over an account. {@link updatePass} alone changes it. */
export type SyncPass = Readonly<PassState>

/** A folder as the server lists it. */
export type ReadFolder = { path: string; role: FolderRole | null }

/** A connection that breaks again and again is left alone for a while. */
const RECONNECTS_PER_PASS = 10

/** The account no longer belongs to this worker: it was changed, disconnected or claimed by another worker. */
export class MailboxTaken extends Error {
  override readonly name = 'MailboxTaken'
}

/** The pass has used up its time, or the process is stopping. The next pass reads what is left. */
export class PassOver extends Error {
  override readonly name = 'PassOver'
}

/** Connects and begins a pass. @throws ImapFailure */
export async function makePass(setup: PassSetup): Promise<SyncPass> {
  const pass: PassState = {
    ...setup,
    session: await setup.dial(),
    selected: null,
    reconnects: 0,
    until: 0,
    added: 0,
    analyzed: 0,
    analyzeAsked: 0,
    troubles: new Map(),
    failures: new Map(),
    inbox: null,
    laterInARow: 0,
  }
  return pass
}

/** Notes what is known now. */
export function updatePass(pass: SyncPass, changes: Partial<PassState>): void {
  Object.assign(pass, changes)
}

/** Gives the pass this many milliseconds from now, and resets its count of reconnects. */
export function startPass(pass: SyncPass, milliseconds: number): void {
  updatePass(pass, { until: Date.now() + milliseconds, reconnects: 0, laterInARow: 0 })
  pass.failures.clear()
}

/** Whether the pass still has time and has not been aborted. */
export function mayGoOn(pass: SyncPass): boolean {
  return !pass.signal.aborted && Date.now() < pass.until
}

/** @throws PassOver */
export function checkPass(pass: SyncPass): void {
  if (!mayGoOn(pass)) throw new PassOver()
}

/** Selects a folder read-only, even if it is selected already: only then is its status fresh. */
export async function select(pass: SyncPass, path: string): Promise<OpenFolder> {
  deselect(pass)
  const status = await withValidity(pass, path, await pass.session.openFolder(path, true))
  updatePass(pass, { selected: path })
  return status
}

/** Selects a folder for writing: in a folder opened read-only, flags cannot be set. */
export async function selectForWriting(pass: SyncPass, path: string): Promise<OpenFolder> {
  deselect(pass)
  return withValidity(pass, path, await pass.session.openFolder(path, false))
}

async function withValidity(pass: SyncPass, path: string, status: FolderStatus): Promise<OpenFolder> {
  const { uidValidity } = status
  if (uidValidity !== null && !isRenumbered(pass, path))
    return { ...status, uidValidity, hasLastingUids: true }
  const { userId, mailboxId } = accountOf(pass)
  const saved = (await loadFolders(pass.context.db, userId, mailboxId)).find((row) => row.path === path)
  return { ...status, uidValidity: saved?.uid_validity ?? UNSAID_VALIDITY, hasLastingUids: false }
}

/** After so many changes of UIDVALIDITY in the middle of a pass, it means nothing: some servers make up another each time. */
const RENUMBERED = 2

/** Notes that a folder's UIDVALIDITY changed while it was being read. */
export function noteRenumbered(pass: SyncPass, path: string): void {
  pass.suspects.timesSuspected(renumberedAt(pass, path), 0)
}

function isRenumbered(pass: SyncPass, path: string): boolean {
  return pass.suspects.times(renumberedAt(pass, path), 0) >= RENUMBERED
}

function renumberedAt(pass: SyncPass, path: string): UidSpace {
  return { ...accountOf(pass), path, uidValidity: '' }
}

/** Call before using the session directly for anything that selects a folder. */
export function deselect(pass: SyncPass): void {
  updatePass(pass, { selected: null })
}

/** Replaces a lost connection. @throws ImapFailure when that fails too, or was done too often */
export async function reconnect(pass: SyncPass, failure: ImapFailure): Promise<void> {
  checkPass(pass)
  // A server that wants a pause must not be dialled at once.
  if (failure.kind === 'later') throw failure
  updatePass(pass, { reconnects: pass.reconnects + 1 })
  if (pass.reconnects > RECONNECTS_PER_PASS) throw failure
  pass.session.close()
  deselect(pass)
  updatePass(pass, { session: await pass.dial() })
}

/** Notes that a folder could not be read. */
export function noteFailure(pass: SyncPass, path: string, failure: ImapFailure): void {
  pass.failures.set(path, failure)
  updatePass(pass, { laterInARow: failure.kind === 'later' ? pass.laterInARow + 1 : 0 })
}

/** The account that the pass reads. */
export function accountOf({ mailbox }: SyncPass): Account {
  return { userId: mailbox.user_id, mailboxId: mailbox.id }
}

/** Locks the account for the transaction. @throws MailboxTaken when it no longer belongs to this worker */
export async function assertHeld({ context, mailbox }: SyncPass, tx: Tx): Promise<void> {
  if (!(await holdsMailbox(tx, mailbox.user_id, mailbox.id, context.workerId))) throw new MailboxTaken()
}

/** Runs a transaction in which the account belongs to this worker. @throws MailboxTaken */
export async function whileHeld<T>(pass: SyncPass, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(pass.context.db, async (tx) => {
    await assertHeld(pass, tx)
    return work(tx)
  })
}
