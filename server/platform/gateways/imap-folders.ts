import type { ImapFlow } from 'imapflow'
import { ImapFailure } from './imap-failure.ts'
import { keepFolderNames } from './imap-folder-names.ts'
import { type FetchRows, openFolder, type Runner } from './imap-runner.ts'
import type { UidRange } from './imap-rows.ts'

/** More folders than this are not listed: no person created them. */
const MAX_FOLDERS = 5_000

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

const ROLES: Record<string, FolderRole> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'junk',
  '\\Archive': 'archive',
}

/** The folders of a session. */
export function makeImapFolders(client: ImapFlow, run: Runner) {
  const names = keepFolderNames(client)

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

  return {
    /** Folders that can be selected. */
    async listFolders(): Promise<ImapFolder[]> {
      const folders = await run(() => names.list())
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

    status: async (path: string) => folderStatus(await status(path)),

    /** Selects a folder. */
    openFolder: async (path: string, readOnly: boolean) =>
      folderStatus(await completed(path, await run(() => client.mailboxOpen(path, { readOnly })))),

    /** A folder that already exists is not an error. Returns its path as the server has it. */
    createFolder: async (path: string) => (await run(() => client.mailboxCreate(names.ownPath(path)))).path,
  }
}

type Facts = {
  exists: number | undefined
  uidNext: number | undefined
  uidValidity: bigint | undefined
  highestModseq: bigint | undefined
}

/** What the server says of a folder. @throws ImapFailure where it does not even say how many messages there are */
export function folderStatus({ exists, uidNext, uidValidity, highestModseq }: Partial<Facts>): FolderStatus {
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

/** More messages than any server in use handles well in one folder. */
const MAX_UIDS = 10_000_000

/** The UIDs of a folder; `complete` is false where the server lists fewer than it says there are. */
export type UidList = { uids: number[]; complete: boolean }

/** The UIDs of the folder that is selected. */
export function makeImapUids(client: ImapFlow, run: Runner, fetchRows: FetchRows) {
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
    /** Those that the server lists, by SEARCH or else by FETCH, ascending. */
    listedUids,

    /** Those in the range, ascending. */
    async existingUids({ from, to }: UidRange) {
      if ((await freshCount()) === 0) return []
      const uids = await searched({ uid: `${from}:${to ?? '*'}` })
      const known = uids ?? (await listedUids()).uids.filter((uid) => uid <= (to ?? uid))
      if (known.length > MAX_UIDS) throw new ImapFailure('protocol', 'The server listed too many messages')
      // "7:*" also returns the newest message when its UID is below 7.
      return known.filter((uid) => uid >= from)
    },
  }
}
