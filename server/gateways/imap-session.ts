import type { ImapFlow } from 'imapflow'
import { type ImapActions, makeImapActions } from './imap-actions.ts'
import { ImapFailure } from './imap-failure.ts'
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
import {
  makeFetcher,
  makeRunner,
  openFolder,
  type ConnectionNotes,
  type ImapDeadlines,
} from './imap-runner.ts'

/** More folders than this are not listed: no person created them. */
const MAX_FOLDERS = 5_000

/** UIDs in one command: the line stays below the 8 kB that RFC 7162 advises, however scattered they are. */
const UIDS_PER_COMMAND = 500
/** A message is sent to the server at this rate at least, beyond the time that any command may take. */
const SLOWEST_BYTES_PER_MS = 100

/** More messages than any server in use handles well in one folder. */
const MAX_UIDS = 10_000_000

export type FolderRole = 'inbox' | 'sent' | 'drafts' | 'trash' | 'junk' | 'archive'

/**
 * `role` comes from SPECIAL-USE (RFC 6154), or else from the usual names in many languages. Each role goes to one
 * folder. `all` marks the folder that shows every message of the account (Gmail's All Mail).
 */
export type ImapFolder = { path: string; role: FolderRole | null; delimiter: string; all: boolean }

/**
 * `uidValidity` and `uidNext` are null where the server does not say them. `highestModSeq` is set only where the server
 * has CONDSTORE for this folder. Big numbers are text.
 */
export type FolderStatus = {
  uidValidity: string | null
  uidNext: number | null
  exists: number
  highestModSeq?: string
}

/** The UIDs of a folder; `complete` is false where the server lists fewer than it says there are. */
export type UidList = { uids: number[]; complete: boolean }

/**
 * A signed-in connection to one mailbox. Every method throws {@link ImapFailure}; a lost connection always throws and
 * never looks like an empty folder or a finished list. Inside a `for await` over this session's messages, no other
 * method may be called.
 */
export type ImapSession = ImapActions & {
  /** False once the connection is lost; open another one. */
  readonly usable: boolean
  /** Whether the server has a capability (`CONDSTORE`, `IDLE`, `MOVE` …). */
  supports(capability: string): boolean
  /** Folders that can be selected. */
  listFolders(): Promise<ImapFolder[]>
  status(path: string): Promise<FolderStatus>
  /** Selects the folder for the methods below. */
  openFolder(path: string, readOnly: boolean): Promise<FolderStatus>
  envelopes(range: UidRange): AsyncIterable<ImapEnvelopeRow>
  /** In the server's order. Messages that have been deleted in the meantime are left out. */
  fetchRaw(uids: number[], options?: { maxBytes?: number }): AsyncIterable<ImapRawRow>
  /** Without CONDSTORE: the flags of all messages. */
  flagsChangedSince(modSeq: string): AsyncIterable<ImapFlagRow>
  /** The UIDs of the folder that are in the range, ascending. */
  existingUids(range: UidRange): Promise<number[]>
  /** The UIDs that the server lists, by SEARCH or else by FETCH, ascending. */
  listedUids(): Promise<UidList>
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
  /** A folder that already exists is not an error. Returns its path as the server has it. */
  createFolder(path: string): Promise<string>
  /**
   * Waits until aborted; `onChange` reports that there is something to read. Other methods may be called in the
   * meantime.
   */
  idle(onChange: (change: ImapChange) => void, signal: AbortSignal): Promise<void>
  close(): void
}

const ROLES: Record<string, FolderRole> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'junk',
  '\\Archive': 'archive',
}

/** Wraps a client that is connected and signed in. */
export function makeImapSession(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  notes: ConnectionNotes,
): ImapSession {
  const run = makeRunner(client, deadlines, notes)
  const fetchRows = makeFetcher(client, deadlines, notes, run)

  const status = async (path: string) => {
    const query = { messages: true, uidNext: true, uidValidity: true, highestModseq: true }
    const { messages, uidNext, uidValidity, highestModseq } = await run(() => client.status(path, query))
    return { exists: messages, uidNext, uidValidity, highestModseq }
  }

  /** What SELECT does not say, STATUS may know. */
  const completed = async (path: string, selected: Partial<Facts>): Promise<Partial<Facts>> => {
    const { exists, uidNext, uidValidity } = selected
    if (exists !== undefined && uidNext && uidValidity !== undefined) return selected
    try {
      const more = await status(path)
      return {
        ...selected,
        exists: exists ?? more.exists,
        uidNext: uidNext || more.uidNext,
        uidValidity: uidValidity ?? more.uidValidity,
      }
    } catch (error) {
      if (!client.usable) throw error
      return selected
    }
  }

  const searched = async (query: Parameters<ImapFlow['search']>[0]): Promise<number[] | null> => {
    try {
      const uids = await run(() => client.search(query, { uid: true }))
      return Array.isArray(uids) ? uids : null
    } catch (error) {
      if (!client.usable || !(error instanceof ImapFailure) || error.kind === 'later') throw error
      return null
    }
  }

  /** Some servers reject a range in an empty folder. The folder may only have been empty when it was selected. */
  const freshCount = async () => {
    if (openFolder(client).exists === 0) await run(() => client.noop().then(() => true))
    return openFolder(client).exists
  }

  const listedUids = async (): Promise<UidList> => {
    const before = await freshCount()
    if (before === 0) return { uids: [], complete: true }
    const enough = (count: number) => count >= Math.min(before, openFolder(client).exists)
    const found = new Set(await searched({ all: true }))
    if (!enough(found.size))
      for await (const { uid } of fetchRows('1:*', { uid: true })) {
        found.add(uid)
        if (found.size > MAX_UIDS) throw new ImapFailure('protocol', 'The server listed too many messages')
      }
    return { uids: [...found].sort((a, b) => a - b), complete: enough(found.size) }
  }

  return {
    ...makeImapActions(client, deadlines, run, fetchRows),
    get usable() {
      return client.usable
    },
    supports: (capability) => client.capabilities.has(capability),
    close: () => client.close(),

    async listFolders() {
      const folders = await run(() => client.list())
      return folders
        .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
        .slice(0, MAX_FOLDERS)
        .map(({ path, delimiter, specialUse = '' }) => ({
          path,
          delimiter,
          role: ROLES[specialUse] ?? null,
          all: specialUse === '\\All',
        }))
    },

    status: async (path) => folderStatus(await status(path)),

    openFolder: async (path, readOnly) =>
      folderStatus(await completed(path, await run(() => client.mailboxOpen(path, { readOnly })))),

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

    listedUids,

    async existingUids({ from, to }) {
      if ((await freshCount()) === 0) return []
      const uids = await searched({ uid: `${from}:${to ?? '*'}` })
      const known = uids ?? (await listedUids()).uids.filter((uid) => uid <= (to ?? uid))
      if (known.length > MAX_UIDS) throw new ImapFailure('protocol', 'The server listed too many messages')
      // "7:*" also returns the newest message when its UID is below 7.
      return known.filter((uid) => uid >= from)
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
      const from = isReliable ? Math.max(1, uidNext - count) : ((await listedUids()).uids.at(-count) ?? 1)
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

    createFolder: async (path) => (await run(() => client.mailboxCreate(path))).path,
    idle: async (onChange, signal) => await listenForChanges(client, deadlines, notes, onChange, signal),
  }
}

type Facts = {
  exists: number | undefined
  uidNext: number | undefined
  uidValidity: bigint | undefined
  highestModseq: bigint | undefined
}

function folderStatus({ exists, uidNext, uidValidity, highestModseq }: Partial<Facts>): FolderStatus {
  if (exists === undefined) {
    throw new ImapFailure('protocol', 'The server did not say what is in the folder')
  }
  const modSeq = highestModseq ? { highestModSeq: String(highestModseq) } : {}
  return {
    uidValidity: uidValidity === undefined ? null : String(uidValidity),
    uidNext: uidNext || null,
    exists,
    ...modSeq,
  }
}
