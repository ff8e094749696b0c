import type { ImapFlow } from 'imapflow'
import { makeImapActions } from './imap-actions.ts'
import { folderStatus, makeImapFolders, makeImapUids } from './imap-folders.ts'
import { type ImapChange, listenForChanges } from './imap-idle.ts'
import {
  envelopeRow,
  flagRow,
  type ImapEnvelopeRow,
  type ImapFlagRow,
  type ImapRawRow,
  type ImapSentRow,
  MAX_MAIL_BYTES,
  ORIGINAL_ID_HEADER,
  rawRow,
  sentRow,
  type UidRange,
  uidSet,
} from './imap-rows.ts'
import { type ConnectionNotes, type ImapDeadlines, makeFetcher, makeRunner } from './imap-runner.ts'

/** UIDs in one command: the line stays below the 8 kB that RFC 7162 advises, however scattered they are. */
const UIDS_PER_COMMAND = 500
/** A message is sent to the server at this rate at least, beyond the time that any command may take. */
const SLOWEST_BYTES_PER_MS = 100

/**
 * A signed-in connection to one mailbox. Every method throws {@link ImapFailure}; a lost connection always throws and
 * never looks like an empty folder or a finished list. Inside a `for await` over this session's messages, no other
 * method may be called.
 */
export type ImapSession = ReturnType<typeof makeImapSession>

/** Wraps a client that is connected and signed in. */
export function makeImapSession(client: ImapFlow, deadlines: ImapDeadlines, notes: ConnectionNotes) {
  const run = makeRunner(client, deadlines, notes)
  const fetchRows = makeFetcher(client, deadlines, notes, run)

  const uidLists = makeImapUids(client, run, fetchRows)

  return {
    ...makeImapFolders(client, run),
    ...uidLists,
    ...makeImapActions(client, deadlines, run, fetchRows),
    /** False once the connection is lost; open another one. */
    get usable() {
      return client.usable
    },
    /** Whether the server has a capability (`CONDSTORE`, `IDLE`, `MOVE` …). */
    supports: (capability: string) => client.capabilities.has(capability),
    close: () => client.close(),

    async *envelopes({ from, to }: UidRange): AsyncIterable<ImapEnvelopeRow> {
      const query = { uid: true, flags: true, internalDate: true, size: true, envelope: true }
      for await (const message of fetchRows(`${from}:${to ?? '*'}`, query)) {
        // "7:*" also returns the newest message when its UID is below 7.
        if (message.uid >= from) yield envelopeRow(message)
      }
    },

    /** In the server's order. Messages that have been deleted in the meantime are left out. */
    async *fetchRaw(uids: number[], { maxBytes = MAX_MAIL_BYTES } = {}): AsyncIterable<ImapRawRow> {
      const source = { start: 0, maxLength: Math.min(maxBytes, MAX_MAIL_BYTES) }
      const query = { uid: true, flags: true, internalDate: true, size: true, source }
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const some = uids.slice(at, at + UIDS_PER_COMMAND)
        for await (const message of fetchRows(uidSet(some), query, { expected: some.length }))
          yield rawRow(message)
      }
    },

    /** Without CONDSTORE: the flags of all messages. */
    async *flagsChangedSince(modSeq: string): AsyncIterable<ImapFlagRow> {
      const options = { changedSince: BigInt(modSeq) }
      for await (const message of fetchRows('1:*', { uid: true, flags: true }, options))
        yield flagRow(message)
    },

    /** After `gone` or `timeout` the message may have been stored anyway: call `findByMessageId` before trying again. */
    async append(path: string, raw: Buffer, flags: string[], date: Date) {
      // A server that is silent must not keep a connection that is needed for reading.
      const deadline = Math.min(deadlines.transfer, deadlines.command + raw.length / SLOWEST_BYTES_PER_MS)
      const { uid, uidValidity } = await run(() => client.append(path, raw, flags, date), deadline)
      return { ...(uid ? { uid } : {}), ...(uidValidity ? { uidValidity: String(uidValidity) } : {}) }
    },

    /** Selects the folder. The Message-ID may have angle brackets or not. */
    async findByMessageId(path: string, messageId: string) {
      await run(() => client.mailboxOpen(path, { readOnly: true }))
      const id = `<${messageId.replace(/[<>\s]/g, '')}>`
      const uids = await run(() => client.search({ header: { 'Message-ID': id } }, { uid: true }))
      return Array.isArray(uids) ? uids : []
    },

    /** Selects the folder. Its newest messages, at most `count` of them: copies of what was just sent. */
    async newestSent(path: string, count: number) {
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

    async setFlags(uids: number[], { add = [], remove = [] }: { add?: string[]; remove?: string[] }) {
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const range = uidSet(uids.slice(at, at + UIDS_PER_COMMAND))
        if (add.length) await run(() => client.messageFlagsAdd(range, add, { uid: true }))
        if (remove.length) await run(() => client.messageFlagsRemove(range, remove, { uid: true }))
      }
    },

    /** The new UID of each message, if the server reports it. */
    async move(uids: number[], toPath: string) {
      const moved = new Map<number, number>()
      for (let at = 0; at < uids.length; at += UIDS_PER_COMMAND) {
        const range = uidSet(uids.slice(at, at + UIDS_PER_COMMAND))
        const { uidMap } = await run(() => client.messageMove(range, toPath, { uid: true }))
        for (const [was, is] of uidMap ?? []) moved.set(was, is)
      }
      return moved
    },

    /**
     * Waits until aborted; `onChange` reports that there is something to read. Other methods may be called in the
     * meantime.
     */
    idle: async (onChange: (change: ImapChange) => void, signal: AbortSignal) =>
      await listenForChanges(client, deadlines, notes, onChange, signal),
  }
}
