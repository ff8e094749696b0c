import type { FetchMessageObject, FetchOptions, FetchQueryObject, ImapFlow, MailboxObject } from 'imapflow'
import { makeBreath } from '../breath.ts'
import { withinDeadline } from './deadline.ts'
import { ImapFailure, imapFailure } from './imap-failure.ts'
import { unreadRow } from './imap-rows.ts'

/** How long the server may take, in milliseconds. Each is a total deadline, not a pause between bytes. */
export type ImapDeadlines = {
  connect: number
  greeting: number
  /** From the greeting to a usable session. */
  login: number
  /** Any command that transfers no messages. */
  command: number
  /** From one message of a FETCH to the next. */
  row: number
  /** Sending a whole message to the server. */
  transfer: number
}

/** What the connection reports besides its results: imapflow reports some failures only in its log. */
export type ConnectionNotes = {
  lastError: unknown
  /** The error behind an operation that merely returned false. */
  lastWarning: unknown
  /** Untagged lines that could not be parsed and were skipped: a FETCH that ended well may lack a message. */
  droppedLines: number
  /** A FETCH is being read: imapflow would wait forever if another command came in between. */
  fetching: boolean
}

/** Runs one operation. */
export type Runner = <T>(
  work: () => Promise<T>,
  milliseconds?: number,
) => Promise<Exclude<T, false | undefined | null>>

/**
 * Runs one operation under its deadline. imapflow returns false or undefined when the server said NO, and also when the
 * connection was lost or no folder is selected; none of these counts as a result.
 */
export function makeRunner(client: ImapFlow, deadlines: ImapDeadlines, notes: ConnectionNotes): Runner {
  return async (work, milliseconds = deadlines.command) => {
    if (notes.fetching) throw new Error('Inside a loop over messages the session can do nothing else')
    try {
      if (!client.usable) throw lost(notes)
      notes.lastWarning = undefined
      const result = await withinDeadline(milliseconds, work(), () => client.close())
      if (result !== false && result !== undefined && result !== null) {
        return result as Exclude<typeof result, false | undefined | null>
      }
      if (!client.usable) throw lost(notes)
      throw notes.lastWarning ?? new ImapFailure('refused', 'The server did not carry out the command')
    } catch (error) {
      throw imapFailure(error, true, notes.lastError)
    }
  }
}

/** The failure for a lost connection, with the reason if one was reported. */
export function lost(notes: ConnectionNotes): ImapFailure {
  const cause = Object.assign(new Error('connection closed'), { code: 'NoConnection' })
  return imapFailure(cause, true, notes.lastError)
}

export type FetchRows = (
  range: string,
  query: FetchQueryObject,
  options?: FetchOptions & { expected?: number },
) => AsyncGenerator<FetchMessageObject>

/** FETCH, message by message; none is lost silently. */
export function makeFetcher(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  notes: ConnectionNotes,
  run: Runner,
): FetchRows {
  return async function* fetchRows(range, query, { expected = 0, ...options } = {}) {
    if (!client.usable) throw lost(notes)
    const folder = openFolder(client)
    // Some servers reject "1:*" in an empty folder. The folder may only have been empty when it was selected.
    if (folder.exists === 0) await run(() => client.noop().then(() => true))
    if (folder.exists === 0) return
    const seen = new Set<number>()
    const droppedBefore = notes.droppedLines
    notes.fetching = true
    const rows = client.fetch(range, query, { ...options, uid: true })
    // A server can send many messages at once, which are then read without a pause.
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
      // When the connection is lost, imapflow ends the list early without an error.
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

/** The selected folder; without one there is nothing to read. */
export function openFolder(client: ImapFlow): MailboxObject {
  if (client.mailbox) return client.mailbox
  throw new ImapFailure('gone', 'No folder is selected')
}
