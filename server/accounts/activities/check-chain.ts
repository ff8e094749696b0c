import type { ChainFault, ChainReport } from '#contract/accounts/activities.ts'
import { makeBreath } from '../../platform/breath.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/handles.ts'
import { readAnchor } from './anchor.ts'
import {
  type AcceptedGap,
  acceptedGaps,
  type ActivityRow,
  type ChainRow,
  linkAt,
  pieceOfChain,
  pieceOfUnlinked,
  saveCheck,
  uncleared,
} from './chain-store.ts'
import { isSame, NO_LINK, type Seals, sealsOf } from './seals.ts'

/** Rows in memory at once. */
const PIECE = 2000
/** Faults in a report. */
export const FAULTS_MAX = 100
/** Links that a row may follow after a fault: so one row in the wrong place is not told of all that come after it. */
const RECENT = 8

export type CheckContext = Pick<Context, 'config' | 'secrets'> & { db: Database }

/**
 * Compares every activity with its seal and every link with the one before, from the oldest row that is kept to the last, and
 * the end of the chain with what DATA_DIR says. It reads a piece at a time, while Howl goes on writing.
 */
export async function checkChain(context: CheckContext): Promise<ChainReport> {
  return (await walkChain(context)).report
}

/** Positions that no row has. `isEnd`: the chain was cut off there, and nothing has been linked since. */
export type MissingPositions = { first: number; last: number; isEnd: boolean }

/** All positions that no row has and that were not accepted. */
export async function missingPositions(context: CheckContext): Promise<MissingPositions[]> {
  return (await walkChain(context)).missing
}

async function walkChain(context: CheckContext) {
  const seals = sealsOf(context)
  const found = new Faults()
  const breath = makeBreath()
  const anchor = await readAnchor(context)
  const walk = new Walk(seals, found, await ownGaps(context, seals))
  for (;;) {
    const { chain, rows } = await pieceOfChain(context.db, walk.position, PIECE)
    walk.begin(chain)
    for (const row of rows) {
      // What was cleared meanwhile.
      if ((row.position ?? 0) > walk.position) walk.step(row)
      await breath()
    }
    if (rows.length === PIECE) continue
    walk.end(chain)
    break
  }
  const stray = await uncleared(context.db, walk.cleared)
  if (stray !== undefined)
    found.add(
      'inserted',
      stray.id,
      stray.position,
      `Activity ${stray.id} stands before the chain's beginning.`,
    )

  let [waiting, after] = [0, 0]
  for (let rows = await pieceOfUnlinked(context.db, 0, PIECE); rows.length > 0;) {
    for (const row of rows) {
      walk.compare(row, false)
      await breath()
    }
    waiting += rows.length
    after = rows.at(-1)?.id ?? after
    rows = rows.length < PIECE ? [] : await pieceOfUnlinked(context.db, after, PIECE)
  }

  if (anchor === 'changed') {
    found.add('file', null, null, 'The file activity-chain.json in DATA_DIR was not written by this Howl.')
  } else if (anchor !== null && anchor.position > walk.reached) {
    found.missing.push({ first: walk.reached + 1, last: anchor.position, isEnd: true })
    found.add(
      'removed',
      null,
      anchor.position,
      `The last activities are gone: the chain reached to position ${anchor.position} (${anchor.at}), and now ends at ${walk.position}.`,
    )
  } else if (anchor !== null && anchor.position > walk.cleared) {
    const link = await linkAt(context.db, anchor.position)
    if (link !== null && !isSame(link, anchor.link))
      found.add(
        'changed',
        null,
        anchor.position,
        `Position ${anchor.position} had another link on ${anchor.at}.`,
      )
  }
  const report = {
    ok: found.list.length === 0,
    checked: walk.checked,
    waiting,
    erased: walk.erased,
    position: walk.position,
    cleared: walk.cleared,
    faults: found.list,
    more: found.more,
  }
  return { report, missing: found.missing }
}

/** Gaps that were accepted here. A row that somebody else has added accepts nothing. */
async function ownGaps({ db }: CheckContext, seals: Seals): Promise<AcceptedGap[]> {
  const gaps = await acceptedGaps(db)
  return gaps.filter((gap) =>
    isSame(gap.seal, seals.gap(gap.first_position, gap.last_position, gap.accepted_at)),
  )
}

class Faults {
  readonly list: ChainFault[] = []
  readonly missing: MissingPositions[] = []
  more = false

  add(kind: ChainFault['kind'], id: number | null, position: number | null, what: string): void {
    if (this.list.length < FAULTS_MAX) this.list.push({ kind, id, position, what })
    else this.more = true
  }
}

/** One walk along the chain. */
class Walk {
  checked = 0
  erased = 0
  cleared = 0
  /** How far the chain's own end says that it reaches, or the last row. */
  reached = 0
  /** The position of the row before; after the walk the last one. */
  position = 0
  private readonly seals: Seals
  private readonly found: Faults
  /** Links that the next row may follow: the last one, and after a fault those before it. */
  private recent: Buffer[] = [NO_LINK]
  private markIsOurs = true
  private readonly gaps: readonly AcceptedGap[]

  constructor(seals: Seals, found: Faults, gaps: readonly AcceptedGap[]) {
    this.seals = seals
    this.found = found
    this.gaps = gaps
  }

  /** Rows may be cleared while the check runs: then it goes on where the chain begins now. */
  begin(chain: ChainRow | undefined): void {
    if (chain === undefined) return
    const { cleared, cleared_link, cleared_seal } = chain
    const isOurs = isSame(cleared_seal, this.seals.end('cleared', cleared, cleared_link))
    if (!isOurs && this.markIsOurs) {
      this.markIsOurs = false
      this.found.add('head', null, cleared, 'The mark where the chain begins was not written by this Howl.')
    }
    if (cleared > this.cleared) this.cleared = cleared
    if (cleared <= this.position) return
    this.position = cleared
    this.recent = [cleared_link]
  }

  step(row: ActivityRow): void {
    const position = row.position ?? 0
    const link = row.link ?? NO_LINK
    const missing = position - this.position - 1
    const [first, last] = [this.position + 1, position - 1]
    const isAccepted = this.gaps.some((gap) => gap.first_position <= first && gap.last_position >= last)
    if (missing > 0 && !isAccepted) {
      this.found.missing.push({ first, last, isEnd: false })
      const where =
        missing === 1
          ? `Position ${position - 1} is`
          : `Positions ${this.position + 1} to ${position - 1} are`
      this.found.add('removed', null, position - 1, `${where} missing, before activity ${row.id}.`)
    }
    const follows = this.recent.some((before) => isSame(link, this.seals.link(before, row.seal)))
    this.compare(row, follows || missing > 0)
    // What comes after a gap cannot be compared with what is gone.
    if (follows || missing > 0) this.recent = [link]
    else this.recent = [link, ...this.recent].slice(0, RECENT)
    this.position = position
  }

  /** Compares a row with its seals. `follows`: it is linked to the row before it. */
  compare(row: ActivityRow, follows: boolean): void {
    const { id, position } = row
    this.checked += 1
    if (row.erased_at !== null) this.erased += 1
    const isWhole = this.isSealed(row)
    if (isWhole && (follows || position === null)) return
    if (isWhole)
      this.found.add(
        'moved',
        id,
        position,
        `Activity ${id} does not follow the one before it: a row was moved or removed there.`,
      )
    else if (follows)
      this.found.add('changed', id, position, `Activity ${id} was changed, or was not written by this Howl.`)
    else
      this.found.add('inserted', id, position, `Activity ${id} was not written by this Howl, or was changed.`)
  }

  end(chain: ChainRow | undefined): void {
    this.reached = this.position
    if (chain === undefined) {
      if (this.position > 0)
        this.found.add('head', null, this.position, 'The mark of the chain’s end is gone.')
      return
    }
    const { position, link, seal } = chain
    if (!isSame(seal, this.seals.end('head', position, link)))
      this.found.add('head', null, position, 'The mark of the chain’s end was not written by this Howl.')
    else if (position > this.position) {
      this.reached = position
      this.found.missing.push({ first: this.position + 1, last: position, isEnd: true })
      this.found.add(
        'removed',
        null,
        position,
        `The last activities are gone: the chain goes on to position ${position}.`,
      )
    } else if (position < this.position)
      this.found.add(
        'inserted',
        null,
        this.position,
        `Rows were added after the chain’s end at position ${position}.`,
      )
    else if (!this.recent.some((before) => isSame(before, link)))
      this.found.add('changed', null, position, 'The last link is another than the chain’s end says.')
  }

  private isSealed(row: ActivityRow): boolean {
    const { seals } = this
    if (!row.words_fit || !isSame(row.seal, seals.rowSeal(row))) return false
    if (row.erased_at !== null && row.erasure !== null) {
      const { id, person_digest, erased_at } = row
      const isBlank = row.user_id === null && row.ip_address === null && row.description === ''
      return isBlank && isSame(row.erasure, seals.erasure({ id, person_digest, erased_at }))
    }
    return row.salt !== null && isSame(row.person_digest, seals.personDigest(row.salt, row))
  }
}

/** {@link checkChain}, and keeps when it was done and how it ended. */
export async function checkActivities(context: CheckContext & Pick<Context, 'clock'>): Promise<ChainReport> {
  const report = await checkChain(context)
  const { ok: is_whole, checked } = report
  await saveCheck(context.db, { checked_at: context.clock.now(), is_whole, checked })
  return report
}
