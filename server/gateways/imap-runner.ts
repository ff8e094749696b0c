import type { FetchMessageObject, FetchOptions, FetchQueryObject, ImapFlow, MailboxObject } from 'imapflow'
import { makeBreath } from '../breath.ts'
import { withinDeadline } from './deadline.ts'
import { ImapFailure, imapFailure } from './imap-failure.ts'
import { unreadRow } from './imap-rows.ts'

/** How long the far server may take, in milliseconds; each is a deadline, not a pause between bytes. */
export type ImapDeadlines = {
  connect: number
  greeting: number
  /** Everything from the greeting to a usable session. */
  login: number
  /** Any command without mails in it. */
  command: number
  /** From one mail of a FETCH to the next. */
  row: number
  /** A whole mail up to the server. */
  transfer: number
}

/** What the connection told beside its answers: imapflow reports some failures by its log alone. */
export type ConnectionNotes = {
  lastError: unknown
  /** The error behind an operation that merely returned false. */
  lastWarning: unknown
  /** Untagged lines that could not be read and were skipped: a mail may be missing from a FETCH that ended well. */
  droppedLines: number
  /** A FETCH is being read: imapflow would wait for ever if another command came in between. */
  fetching: boolean
}

/** Runs one operation. */
export type Runner = <T>(
  work: () => Promise<T>,
  milliseconds?: number,
) => Promise<Exclude<T, false | undefined | null>>

/**
 * One operation under its deadline. imapflow answers false or undefined when the server said NO, and also when the
 * connection went away or no folder is selected: none of these is a result.
 */
export function makeRunner(client: ImapFlow, deadlines: ImapDeadlines, notes: ConnectionNotes): Runner {
  return async (work, milliseconds = deadlines.command) => {
    if (notes.fetching) throw new Error('Inside a loop over mails the session can do nothing else')
    try {
      if (!client.usable) throw lost(notes)
      notes.lastWarning = undefined
      const result = await withinDeadline(milliseconds, work(), () => client.close())
      if (result !== false && result !== undefined && result !== null) {
        return result as Exclude<typeof result, false | undefined | null>
      }
      if (!client.usable) throw lost(notes)
      throw notes.lastWarning ?? new ImapFailure('refused', 'The server did not do it')
    } catch (error) {
      throw imapFailure(error, true, notes.lastError)
    }
  }
}

/** The connection is gone; why, where it said so. */
export function lost(notes: ConnectionNotes): ImapFailure {
  const cause = Object.assign(new Error('connection closed'), { code: 'NoConnection' })
  return imapFailure(cause, true, notes.lastError)
}

export type FetchRows = (
  range: string,
  query: FetchQueryObject,
  options?: FetchOptions & { expected?: number },
) => AsyncGenerator<FetchMessageObject>

/** FETCH, mail by mail, with no mail lost in silence. */
export function makeFetcher(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  notes: ConnectionNotes,
  run: Runner,
): FetchRows {
  return async function* fetchRows(range, query, { expected = 0, ...options } = {}) {
    if (!client.usable) throw lost(notes)
    const folder = openFolder(client)
    // Some servers call "1:*" a mistake in an empty folder. It may have been empty when it was opened only.
    if (folder.exists === 0) await run(() => client.noop().then(() => true))
    if (folder.exists === 0) return
    const seen = new Set<number>()
    const droppedBefore = notes.droppedLines
    notes.fetching = true
    const rows = client.fetch(range, query, { ...options, uid: true })
    // What a server sends in one go is many mails, read without a pause.
    const breath = makeBreath()
    try {
      for (;;) {
        await breath()
        const { value, done } = await withinDeadline(deadlines.row, rows.next(), () => client.close())
        if (done) break
        if (!value.uid || seen.has(value.uid)) continue
        seen.add(value.uid)
        yield value
      }
      // Without a connection imapflow ends the list early, and says nothing.
      if (!client.usable || client.mailbox !== folder) throw lost(notes)
    } catch (error) {
      throw imapFailure(error, true, notes.lastError)
    } finally {
      notes.fetching = false
      void rows.return(undefined).catch(() => {})
    }
    if (notes.droppedLines > droppedBefore || seen.size < expected) {
      const there = await run(() => client.search({ uid: range }, { uid: true }))
      for (const uid of Array.isArray(there) ? there : []) if (!seen.has(uid)) yield unreadRow(uid)
    }
  }
}

/** The folder that is selected; without one there is nothing to read. */
export function openFolder(client: ImapFlow): MailboxObject {
  if (client.mailbox) return client.mailbox
  throw new ImapFailure('gone', 'No folder is open')
}
