import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Anchor, readAnchor, writeAnchor } from './anchor.ts'
import {
  type ChainRow,
  findChain,
  lastPosition,
  saveChain,
  saveLinks,
  tryLockChain,
  unlinked,
} from './chain-store.ts'
import { isSame, NO_LINK, sealsOf } from './seals.ts'

/** Rows linked in one transaction. */
export const LINKED_AT_ONCE = 1000
/** The file is written at most so often, and the log says it at most so often. */
export const ANCHOR_EVERY_MS = 10_000
const TELL_EVERY_MS = 3_600_000

/** What the linker of a process remembers between its steps. */
export type LinkerState = {
  /** The last end of the chain that is known here. */
  anchor: Anchor | 'changed' | null
  anchoredAt: number
  toldAt: number
}

/** A linker that begins with what DATA_DIR says. */
export async function newLinker(context: Context): Promise<LinkerState> {
  return { anchor: await readAnchor(context), anchoredAt: 0, toldAt: 0 }
}

/** What linking needs; a command of the operator has no more. */
export type LinkContext = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'log' | 'stopping'>

/**
 * Links all rows that wait, in the order of their ids, each to the one before. One process does so at a time; whoever adds
 * rows never waits for it.
 */
export async function linkActivities(context: LinkContext, state: LinkerState): Promise<void> {
  for (let linked = LINKED_AT_ONCE; linked === LINKED_AT_ONCE && !context.stopping.aborted;) {
    const step = await inTransaction(context.db, (tx) => linkSome(context, tx, state))
    linked = step?.count ?? 0
    if (step !== null) state.anchor = step.end
  }
  await keepAnchor(context, state)
}

async function linkSome(context: LinkContext, tx: Tx, { anchor }: LinkerState) {
  if (!(await tryLockChain(tx))) return null
  const rows = await unlinked(tx, LINKED_AT_ONCE)
  if (rows.length === 0) return null
  const seals = sealsOf(context)
  const start = await startOf(context, tx, await findChain(tx), anchor)
  let { position, link } = start
  const links = rows.map(({ id, seal }) => {
    position += 1
    link = seals.link(link, seal)
    return { id, position, link }
  })
  await saveLinks(tx, links)
  const now = context.clock.now()
  await saveChain(tx, {
    position,
    link,
    seal: seals.end('head', position, link),
    linked_at: now,
    cleared: start.cleared,
    cleared_link: start.cleared_link,
    cleared_seal: start.cleared_seal,
  })
  return { count: links.length, end: { position, link, at: now.toISOString() } }
}

/**
 * Where the next link goes. An end that Howl did not write is never made good by linking on to it: then a position is
 * left free, which the check names for as long as the rows are kept.
 */
async function startOf(
  context: LinkContext,
  tx: Tx,
  row: ChainRow | undefined,
  anchor: Anchor | 'changed' | null,
): Promise<Omit<ChainRow, 'id' | 'seal' | 'linked_at'>> {
  const seals = sealsOf(context)
  const start = row ?? {
    position: 0,
    link: NO_LINK,
    cleared: 0,
    cleared_link: NO_LINK,
    cleared_seal: seals.end('cleared', 0, NO_LINK),
  }
  const isOurs = row === undefined || isSame(row.seal, seals.end('head', row.position, row.link))
  const known = anchor === null || anchor === 'changed' ? 0 : anchor.position
  const reached = Math.max(await lastPosition(tx), known)
  if (isOurs && reached <= start.position) return start
  context.log.error(
    { position: start.position, reached },
    'the end of the activity log was changed by somebody else; npm run activities -- check says where',
  )
  return { ...start, position: Math.max(reached, start.position) + 1 }
}

/** Writes the end of the chain to its file, where the file does not have it. */
export async function keepAnchor(context: LinkContext, state: LinkerState): Promise<void> {
  const { anchor } = state
  if (anchor === null || anchor === 'changed') return
  const now = Date.now()
  if (now - state.anchoredAt >= ANCHOR_EVERY_MS) {
    const written = await readAnchor(context)
    if (written === null || written === 'changed' || written.position < anchor.position) {
      await writeAnchor(context, anchor)
    }
    state.anchoredAt = now
  }
  if (now - state.toldAt >= TELL_EVERY_MS) {
    const link = anchor.link.toString('hex')
    context.log.info({ position: anchor.position, link }, 'the activity log reaches to this link')
    state.toldAt = now
  }
}
