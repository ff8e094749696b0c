import { type Insertable, type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../platform/database/handles.ts'
import type { ChatMessagesTable, ChatSessionsTable } from './tables.ts'
import { findRow, lockRow, numberOf, removeRow } from '../platform/database/rows.ts'

export type SessionRow = Selectable<ChatSessionsTable>
export type MessageRow = Selectable<ChatMessagesTable>

/** The user's sessions, the last used first, and how many there are. */
export async function listSessions(
  db: Queryable,
  userId: number,
  asked: { search: string; onlyActive: boolean; limit: number; offset: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const conditions = [sql`s.user_id = ${userId}`]
  if (asked.onlyActive) conditions.push(sql`s.is_active`)
  if (asked.search !== '') {
    const like = `%${asked.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    conditions.push(sql`(s.title ILIKE ${like} OR EXISTS (SELECT FROM chat_messages m
      WHERE m.user_id = ${userId} AND m.session_id = s.id AND m.content ILIKE ${like}))`)
  }
  const where = sql.join(conditions, sql` AND `)
  const [{ rows }, counted] = await Promise.all([
    sql<SessionRow>`SELECT s.* FROM chat_sessions s WHERE ${where}
      ORDER BY s.used_at DESC, s.id DESC LIMIT ${asked.limit} OFFSET ${asked.offset}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM chat_sessions s WHERE ${where}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Two calls of one user that choose the active session come one after the other. */
export async function lockSessions(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('chat_sessions', ${userId}))`.execute(tx)
}

export async function countSessions(db: Queryable, userId: number) {
  return numberOf(db)`
    SELECT count(*) AS total FROM chat_sessions WHERE user_id = ${userId}`
}

export async function insertSession(tx: Tx, session: Insertable<ChatSessionsTable>): Promise<SessionRow> {
  return tx.insertInto('chat_sessions').values(session).returningAll().executeTakeFirstOrThrow()
}

export const findSession = (db: Queryable, userId: number, id: number) =>
  findRow(db, 'chat_sessions', userId, id)

/** The session, locked until the transaction ends. */
export const lockSession = (tx: Tx, userId: number, id: number) => lockRow(tx, 'chat_sessions', userId, id)

export async function changeSession(
  db: Queryable,
  userId: number,
  id: number,
  changes: Partial<Pick<SessionRow, 'title' | 'used_at' | 'is_active'>>,
): Promise<SessionRow | undefined> {
  return db
    .updateTable('chat_sessions')
    .set(changes)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Takes the mark off whichever session is active. Call it under {@link lockSessions}. */
export async function deactivateSessions(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('chat_sessions')
    .set({ is_active: false })
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
    .execute()
}

/** Deletes a session with its messages; false when there was none. */
export async function deleteSession(tx: Tx, userId: number, id: number): Promise<boolean> {
  // An answer that is being finished would add proposals in between.
  if ((await lockSession(tx, userId, id)) === undefined) return false
  await tx
    .deleteFrom('chat_proposals')
    .where('user_id', '=', userId)
    .where('session_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  return removeRow(tx, 'chat_sessions', userId, id)
}

/** The newest messages of a session, oldest first. */
export async function messagesOf(
  db: Queryable,
  userId: number,
  sessionId: number,
  limit: number,
): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('chat_messages')
    .selectAll()
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

export async function countMessages(db: Queryable, userId: number, sessionId: number) {
  return numberOf(db)`
    SELECT count(*) AS total FROM chat_messages WHERE user_id = ${userId} AND session_id = ${sessionId}`
}

export async function insertMessage(tx: Tx, message: Insertable<ChatMessagesTable>): Promise<MessageRow> {
  return tx.insertInto('chat_messages').values(message).returningAll().executeTakeFirstOrThrow()
}

/** Changes an answer that is still being written; undefined when it is not: it was stopped, or its session is gone. */
export async function changeAnswer(
  db: Queryable,
  userId: number,
  id: number,
  changes: Partial<Pick<MessageRow, 'content' | 'intent' | 'status' | 'metadata' | 'written_at'>>,
): Promise<MessageRow | undefined> {
  return db
    .updateTable('chat_messages')
    .set(changes)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '=', 'writing')
    .returningAll()
    .executeTakeFirst()
}

/** Stores the last words of an answer that was stopped; undefined when it was not, or its session is gone. */
export async function keepStopped(
  db: Queryable,
  userId: number,
  id: number,
  changes: Pick<MessageRow, 'content' | 'metadata'>,
): Promise<MessageRow | undefined> {
  return db
    .updateTable('chat_messages')
    .set(changes)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '=', 'stopped')
    .returningAll()
    .executeTakeFirst()
}

/** Names one more proposal in an answer, behind the one that it takes the place of. */
export async function placeProposal(
  tx: Tx,
  userId: number,
  messageId: number,
  { after, proposalId }: { after: number; proposalId: number },
): Promise<void> {
  const row = await tx
    .selectFrom('chat_messages')
    .select('metadata')
    .where('user_id', '=', userId)
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return
  const named = row.metadata.proposal_ids
  const metadata = {
    ...row.metadata,
    proposal_ids: named.flatMap((each) => (each === after ? [after, proposalId] : [each])),
  }
  await tx
    .updateTable('chat_messages')
    .set({ metadata })
    .where('user_id', '=', userId)
    .where('id', '=', messageId)
    .execute()
}

export const findMessage = (db: Queryable, userId: number, id: number) =>
  findRow(db, 'chat_messages', userId, id)

/** Removes a message of a session and all after it, with what was proposed there and is undecided. */
export async function deleteMessagesFrom(tx: Tx, userId: number, sessionId: number, id: number) {
  await tx
    .deleteFrom('chat_proposals')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('message_id', '>=', id)
    .where('status', '=', 'pending')
    .execute()
  await tx
    .deleteFrom('chat_messages')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('id', '>=', id)
    .execute()
}
