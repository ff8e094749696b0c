import { BRIEF_VERSIONS_KEPT, type BriefFields } from '#contract/outreach/briefs.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { addBrief, type BriefRow, dropBriefsUpTo, lockBriefs, newestBrief } from './store.ts'

/** Saves what first mails are about as a new version; the newest one where nothing is different. */
export async function saveBrief(context: Context, userId: number, fields: BriefFields): Promise<BriefRow> {
  return inTransaction(context.db, async (tx) => {
    await lockBriefs(tx, userId)
    const newest = await newestBrief(tx, userId)
    if (newest !== undefined && isSame(newest.fields, fields)) return newest
    const version = (newest?.version ?? 0) + 1
    const row = await addBrief(tx, { user_id: userId, version, fields, made_at: context.clock.now() })
    await dropBriefsUpTo(tx, userId, version - BRIEF_VERSIONS_KEPT)
    return row
  })
}

function isSame(one: BriefFields, other: BriefFields): boolean {
  return (Object.keys(other) as (keyof BriefFields)[]).every((field) => one[field] === other[field])
}
