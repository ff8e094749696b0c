import { type Insertable, type Selectable, sql } from 'kysely'
import type { PROPOSAL_STATUSES } from '#contract/assistant/assistant.ts'
import type { Queryable, Tx } from '../platform/database/handles.ts'
import type { ChatProposalsTable } from './tables.ts'
import { findRow, lockRow } from '../platform/database/rows.ts'

export type ProposalRow = Selectable<ChatProposalsTable>
type Status = (typeof PROPOSAL_STATUSES)[number] | 'all'

export async function insertProposal(db: Queryable, proposal: Insertable<ChatProposalsTable>) {
  return db.insertInto('chat_proposals').values(proposal).returningAll().executeTakeFirstOrThrow()
}

/** A page of proposals, newest first; a pending one whose time is over counts as expired. */
export async function listProposals(
  db: Queryable,
  userId: number,
  asked: { status: Status; now: Date; limit: number; offset: number },
): Promise<{ rows: ProposalRow[]; total: number }> {
  const conditions = [sql`user_id = ${userId}`]
  if (asked.status === 'pending' || asked.status === 'expired')
    conditions.push(
      sql`status = 'pending'`,
      asked.status === 'pending' ? sql`expires_at > ${asked.now}` : sql`expires_at <= ${asked.now}`,
    )
  else if (asked.status !== 'all') conditions.push(sql`status = ${asked.status}`)
  const where = sql.join(conditions, sql` AND `)
  const [{ rows }, counted] = await Promise.all([
    sql<ProposalRow>`SELECT * FROM chat_proposals WHERE ${where}
      ORDER BY id DESC LIMIT ${asked.limit} OFFSET ${asked.offset}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM chat_proposals WHERE ${where}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** The newest proposals of a session, oldest first. */
export async function proposalsOf(
  db: Queryable,
  userId: number,
  sessionId: number,
  limit: number,
): Promise<ProposalRow[]> {
  const rows = await db
    .selectFrom('chat_proposals')
    .selectAll()
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

export const findProposal = (db: Queryable, userId: number, id: number) =>
  findRow(db, 'chat_proposals', userId, id)

/** The proposal, locked until the transaction ends. */
export const lockProposal = (tx: Tx, userId: number, id: number) => lockRow(tx, 'chat_proposals', userId, id)

/** Writes a decision down. */
export async function decideProposal(
  tx: Tx,
  userId: number,
  id: number,
  decision: Pick<ProposalRow, 'status' | 'decided_at' | 'result'>,
): Promise<ProposalRow> {
  return tx
    .updateTable('chat_proposals')
    .set(decision)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
