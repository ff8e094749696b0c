import { type Selectable } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import type { AcceptedGapsTable } from './tables.ts'

export type AcceptedGap = Selectable<AcceptedGapsTable>

/** All gaps that were accepted, the first one first. There is one for each restore. */
export async function acceptedGaps(db: Queryable): Promise<AcceptedGap[]> {
  return db.selectFrom('accepted_gaps').selectAll().orderBy('first_position').execute()
}

export async function addAcceptedGap(db: Queryable, gap: AcceptedGap): Promise<void> {
  await db
    .insertInto('accepted_gaps')
    .values(gap)
    .onConflict((known) => known.column('first_position').doUpdateSet(gap))
    .execute()
}
