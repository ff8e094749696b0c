import type { ImapFlow } from 'imapflow'
import { type ImapActions, makeImapActions } from './imap-actions.ts'
import { folderStatus, type ImapFolders, makeImapFolders } from './imap-folders.ts'
import { listenForChanges, type ImapChange } from './imap-idle.ts'
import {
  envelopeRow,
  flagRow,
  MAX_MAIL_BYTES,
  rawRow,
  uidSet,
  type ImapEnvelopeRow,
  type ImapFlagRow,
  type ImapRawRow,
  type ImapSentRow,
  ORIGINAL_ID_HEADER,
  sentRow,
  type UidRange,
} from './imap-rows.ts'
import { type ConnectionNotes, type ImapDeadlines, makeFetcher, makeRunner } from './imap-runner.ts'
import { type ImapUids, makeImapUids } from './imap-uids.ts'

/** UIDs in one command: the line stays below the 8 kB that RFC 7162 advises, however scattered they are. */
const UIDS_PER_COMMAND = 500
/** A message is sent to the server at this rate at least, beyond the time that any command may take. */
const SLOWEST_BYTES_PER_MS = 100

/**
 * A signed-in connection to one mailbox. Every method throws {@link ImapFailure}; a lost connection always throws and
 * never looks like an empty folder or a finished list. Inside a `for await` over this session's messages, no other
 * method may be called.
 */
export type ImapSession = ImapFolders &
  ImapUids &
  ImapActions & {
    /** False once the connection is lost; open another one. */
    readonly usable: boolean
    /** Whether the server has a capability (`CONDSTORE`, `IDLE`, `MOVE` …). */
    supports(capability: string): boolean
    envelopes(range: UidRange): AsyncIterable<ImapEnvelopeRow>
    /** In the server's order. Messages that have been deleted in the meantime are left out. */
    fetchRaw(uids: number[], options?: { maxBytes?: number }): AsyncIterable<ImapRawRow>
    /** Without CONDSTORE: the flags of all messages. */
    flagsChangedSince(modSeq: string): AsyncIterable<ImapFlagRow>
    /** After `gone` or `timeout` the message may have been stored anyway: call `findByMessageId` before trying again. */
    append(
      path: string,
      raw: Buffer,
      flags: string[],
      date: Date,
    ): Promise<{ uid?: number; uidValidity?: string }>
    /** Selects the folder. The Message-ID may have angle brackets or not. */
    findByMessageId(path: string, messageId: string): Promise<number[]>
    /** Selects the folder. Its newest messages, at most `count` of them: copies of what was just sent. */
    newestSent(path: string, count: number): Promise<{ uidValidity: string | null; rows: ImapSentRow[] }>
    setFlags(uids: number[], change: { add?: string[]; remove?: string[] }): Promise<void>
    /** The new UID of each message, if the server reports it. */
    move(uids: number[], toPath: string): Promise<Map<number, number>>
    /**
     * Waits until aborted; `onChange` reports that there is something to read. Other methods may be called in the
     * meantime.
     */
    idle(onChange: (change: ImapChange) => void, signal: AbortSignal): Promise<void>
    close(): void
  }

/** Wraps a client that is connected and signed in. */
export function makeImapSession(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  notes: ConnectionNotes,
): ImapSession {
  const run = makeRunner(client, deadlines, notes)
  const fetchRows = makeFetcher(client, deadlines, notes, run)

  const uidLists = makeImapUids(client, run, fetchRows)

  return {
    ...makeImapFolders(client, run),
    ...uidLists,
    ...makeImapActions(client, deadlines, run, fetchRows),
    get usable() {
      return client.usable
    },
    supports: (capability) => client.capabilities.has(capability),
    close: () => client.close(),

    async *envelopes({ from, to }) {
      const query = { uid: true, flags: true, internalDate: true, size: true, envelope: true }
      for await (const message of fetchRows(`${from}:${to ?? '*'}`, query)) {
        // "7:*" also returns the newest message when its UID is below 7.
        if (message.uid >= from) yield envelopeRow(message)
      }
    },

    async *fetchRaw(uids, { maxBytes = MAX_MAIL_BYTES } = {}) {
      const source = { start: 0, maxLength: Math.min(maxBytes, MAX_MAIL_BYTES) }
      const query = { uid: true, flags: true, internalDate: true, size: true, source }
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const some = uids.slice(at, at + UIDS_PER_COMMAND)
        for await (const message of fetchRows(uidSet(some), query, { expected: some.length }))
          yield rawRow(message)
      }
    },

    async *flagsChangedSince(modSeq) {
      const options = { changedSince: BigInt(modSeq) }
      for await (const message of fetchRows('1:*', { uid: true, flags: true }, options))
        yield flagRow(message)
    },

    async append(path, raw, flags, date) {
      // A server that is silent must not keep a connection that is needed for reading.
      const deadline = Math.min(deadlines.transfer, deadlines.command + raw.length / SLOWEST_BYTES_PER_MS)
      const { uid, uidValidity } = await run(() => client.append(path, raw, flags, date), deadline)
      return { ...(uid ? { uid } : {}), ...(uidValidity ? { uidValidity: String(uidValidity) } : {}) }
    },

    async findByMessageId(path, messageId) {
      await run(() => client.mailboxOpen(path, { readOnly: true }))
      const id = `<${messageId.replace(/[<>\s]/g, '')}>`
      const uids = await run(() => client.search({ header: { 'Message-ID': id } }, { uid: true }))
      return Array.isArray(uids) ? uids : []
    },

    async newestSent(path, count) {
      const { uidValidity, uidNext, exists } = folderStatus(
        await run(() => client.mailboxOpen(path, { readOnly: true })),
      )
      // UIDs begin at 1, so a true UIDNEXT is above the number of messages.
      const isReliable = uidNext !== null && uidNext > exists
      const from = isReliable
        ? Math.max(1, uidNext - count)
        : ((await uidLists.listedUids()).uids.at(-count) ?? 1)
      const query = { uid: true, flags: true, internalDate: true, size: true, envelope: true }
      const headers = [ORIGINAL_ID_HEADER]
      const rows: ImapSentRow[] = []
      for await (const message of fetchRows(`${from}:*`, { ...query, headers })) rows.push(sentRow(message))
      return { uidValidity, rows: rows.slice(-count) }
    },

    async setFlags(uids, { add = [], remove = [] }) {
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const range = uidSet(uids.slice(at, at + UIDS_PER_COMMAND))
        if (add.length) await run(() => client.messageFlagsAdd(range, add, { uid: true }))
        if (remove.length) await run(() => client.messageFlagsRemove(range, remove, { uid: true }))
      }
    },

    async move(uids, toPath) {
      const moved = new Map<number, number>()
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const range = uidSet(uids.slice(at, at + UIDS_PER_COMMAND))
        const { uidMap } = await run(() => client.messageMove(range, toPath, { uid: true }))
        for (const [was, is] of uidMap ?? []) moved.set(was, is)
      }
      return moved
    },

    idle: async (onChange, signal) => await listenForChanges(client, deadlines, notes, onChange, signal),
  }
}
