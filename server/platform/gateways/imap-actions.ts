import type { ImapFlow } from 'imapflow'
import { ImapFailure } from './imap-failure.ts'
import { envelopeRow, flagRow, type ImapEnvelopeRow, type ImapFlagRow, uidSet } from './imap-rows.ts'
import type { FetchRows, ImapDeadlines, Runner } from './imap-runner.ts'

/** UIDs in one command, as for reading. */
const UIDS_PER_COMMAND = 500

/**
 * Where messages were moved to; without UIDPLUS (RFC 4315) the server does not report their new UIDs. `copied`: the
 * originals are still there.
 */
export type Relocated = { uidValidity: string | null; moved: Map<number, number>; copied: boolean }

/** Actions on messages of the folder that is selected for writing. All of them throw {@link ImapFailure}. */
export function makeImapActions(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  run: Runner,
  fetchRows: FetchRows,
) {
  const search = async (query: Parameters<ImapFlow['search']>[0]) => {
    const uids = await run(() => client.search(query, { uid: true }))
    return Array.isArray(uids) ? uids : []
  }

  const expunge = async (uids: readonly number[]): Promise<void> => {
    const range = uidSet([...uids])
    if (client.capabilities.has('UIDPLUS')) {
      await run(() => client.messageDelete(range, { uid: true }), deadlines.transfer)
      return
    }
    // A plain EXPUNGE also removes messages that others have only flagged as deleted: their flags are taken off for
    // that moment.
    const wanted = new Set(uids)
    const flagged = (await search({ deleted: true })).filter((uid) => !wanted.has(uid))
    const others = batches(flagged).map(uidSet)
    for (const some of others) await run(() => client.messageFlagsRemove(some, ['\\Deleted'], { uid: true }))
    try {
      await run(() => client.messageDelete(range, { uid: true }), deadlines.transfer)
    } finally {
      for (const some of others) await run(() => client.messageFlagsAdd(some, ['\\Deleted'], { uid: true }))
    }
  }

  return {
    /** Removes up to 500 messages permanently, and no others. */
    expunge,

    /** Which of these UIDs still exist. */
    async stillThere(uids: readonly number[]) {
      const there = new Set<number>()
      for (const some of batches(uids)) for (const uid of await search({ uid: uidSet(some) })) there.add(uid)
      return there
    },

    /** The flags of these messages; those that are gone are left out. */
    async *flagsOf(uids: readonly number[]): AsyncIterable<ImapFlagRow> {
      for (const some of batches(uids))
        for await (const message of fetchRows(uidSet(some), { uid: true, flags: true }))
          yield flagRow(message)
    },

    /** The envelopes of these messages; those that are gone are left out. */
    async *envelopesOf(uids: readonly number[]): AsyncIterable<ImapEnvelopeRow> {
      const query = { uid: true, flags: true, internalDate: true, size: true, envelope: true }
      for (const some of batches(uids))
        for await (const message of fetchRows(uidSet(some), query)) yield envelopeRow(message)
    },

    /** Moves up to 500 messages. Without MOVE (RFC 6851) it copies them, and the caller expunges the originals. */
    async relocate(uids: readonly number[], toPath: string): Promise<Relocated> {
      if (uids.length > UIDS_PER_COMMAND)
        throw new Error(`${uids.length} messages are too many for one command`)
      const range = uidSet([...uids])
      if (client.capabilities.has('MOVE'))
        return {
          ...newUids(
            uids,
            await run(() => client.messageMove(range, toPath, { uid: true }), deadlines.transfer),
          ),
          copied: false,
        }
      const copies = await run(() => client.messageCopy(range, toPath, { uid: true }), deadlines.transfer)
      return { ...newUids(uids, copies), copied: true }
    },
  }
}

/** Reads a COPYUID response; one that names messages we did not ask for is not trusted. */
function newUids(
  uids: readonly number[],
  { uidValidity, uidMap }: { uidValidity?: bigint | undefined; uidMap?: Map<number, number> | undefined },
): Omit<Relocated, 'copied'> {
  const asked = new Set(uids)
  const moved = new Map<number, number>()
  for (const [was, is] of uidMap ?? []) if (asked.has(was) && is > 0) moved.set(was, is)
  if (new Set(moved.values()).size < moved.size)
    throw new ImapFailure('protocol', 'The server gave several messages the same UID')
  return { uidValidity: uidValidity === undefined ? null : String(uidValidity), moved }
}

function batches(uids: readonly number[]): number[][] {
  const sorted = uids.toSorted((a, b) => a - b)
  return Array.from({ length: Math.ceil(sorted.length / UIDS_PER_COMMAND) }, (_, at) =>
    sorted.slice(at * UIDS_PER_COMMAND, (at + 1) * UIDS_PER_COMMAND),
  )
}
