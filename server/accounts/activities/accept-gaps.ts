import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { readAnchor } from './anchor.ts'
import { type MissingPositions, missingPositions } from './check-chain.ts'
import { addAcceptedGap } from './chain-store.ts'
import { linkActivities } from './link-activities.ts'
import { noteActivity } from './note-activity.ts'
import { sealsOf } from './seals.ts'

type AcceptContext = Pick<Context, 'config' | 'secrets' | 'clock' | 'log' | 'stopping'> & { db: Database }

/**
 * Accepts that rows of the activity log are gone, as they are after an older backup was restored: the check no longer names
 * these positions. The log says what was accepted, and nothing else is made good by it: a row that was changed, inserted or
 * moved stays named.
 *
 * @returns the positions that were accepted
 * @throws Refusal 409 where nothing is missing
 */
export async function acceptGaps(context: AcceptContext): Promise<MissingPositions[]> {
  // First what waits is linked: the linker leaves a position free where the end of the chain was lost.
  const link = async () =>
    linkActivities(context, { anchor: await readAnchor(context), anchoredAt: 0, toldAt: Date.now() })
  await link()
  if ((await missingPositions(context)).some(({ isEnd }) => isEnd)) {
    await noteActivity(context, context.db, {
      type: 'gap_accepted',
      user: null,
      origin: null,
      detail: 'the end of the log is continued',
    })
    await link()
  }
  const gaps = (await missingPositions(context)).filter(({ isEnd }) => !isEnd)
  if (gaps.length === 0) throw conflict('Nothing is missing in the activity log.')
  const now = new Date(Math.trunc(context.clock.now().getTime()))
  await inTransaction(context.db, async (tx) => {
    for (const { first, last } of gaps)
      await addAcceptedGap(tx, {
        first_position: first,
        last_position: last,
        accepted_at: now,
        seal: sealsOf(context).gap(first, last, now),
      })
    await noteActivity(context, tx, {
      type: 'gap_accepted',
      user: null,
      origin: null,
      detail: gaps.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)).join(', '),
    })
  })
  return gaps
}
