import type { Context } from '../../context.ts'
import type { ImapFailure } from '../../gateways/imap.ts'
import { type FolderRole, type FolderStatus, type ImapSession } from '../../gateways/imap.ts'
import type { Mailbox } from '../../mailboxes/mailboxes.ts'

/** One reading of an account: its connection, which may be replaced by another one on the way, and what it may cost. */
export type SyncPass = {
  context: Context
  mailbox: Mailbox
  ownKeys: ReadonlySet<string>
  session: ImapSession
  /** Opens another connection after one was lost. */
  dial: () => Promise<ImapSession>
  /** The folder that is selected on `session`. */
  selected: string | null
  reconnects: number
  /** Work ends at its next safe point after this instant (milliseconds): the next account is waiting. */
  until: number
  signal: AbortSignal
  /** Mails that were added. */
  added: number
  /** How many of them there were when the database last looked at its tables at the end of a reading … */
  known: number
  /** … and when it was last asked meanwhile whether it knows how large they have become. */
  asked: number
}

/** A connection that breaks again and again is left alone for a while. */
const RECONNECTS_PER_TURN = 10

/** The account is no longer this worker's: it was changed, disconnected or given to another one. */
export class MailboxTaken extends Error {
  override readonly name = 'MailboxTaken'
}

/** The turn has had its share, or the process stops; what is left is read in the next one. */
export class PassOver extends Error {
  override readonly name = 'TurnOver'
}

export function mayGoOn(turn: SyncPass): boolean {
  return !turn.signal.aborted && Date.now() < turn.until
}

/** @throws TurnOver */
export function checkPass(turn: SyncPass): void {
  if (!mayGoOn(turn)) throw new PassOver()
}

/** Selects a folder, read-only, also when it is selected already: only then its figures are fresh. */
export async function select(turn: SyncPass, path: string): Promise<FolderStatus> {
  turn.selected = null
  const status = await turn.session.openFolder(path, true)
  turn.selected = path
  return status
}

/** Replaces a lost connection. @throws ImapFailure when that fails too, or has been done too often */
export async function reconnect(turn: SyncPass, failure: ImapFailure): Promise<void> {
  checkPass(turn)
  turn.reconnects += 1
  if (turn.reconnects > RECONNECTS_PER_TURN) throw failure
  turn.session.close()
  turn.selected = null
  turn.session = await turn.dial()
}

/** Folder as the list of folders gives it. */
export type ReadFolder = { path: string; role: FolderRole | null }
