import { sql } from 'kysely'
import type { Queryable, Tx } from './handles.ts'
import type { Tables } from './tables.ts'
import { rowOf } from './rows.ts'

/** The queues of what is still to be entered into a search index. Each key begins with `user_id`. */
export type IndexQueue = Extract<keyof Tables, 'email_search_queue' | 'contact_search_queue'>

/** Users who have entries in a queue. */
export async function usersInQueue(db: Queryable, queue: IndexQueue, limit: number): Promise<number[]> {
  const table = sql.table(queue)
  // Jumps from user to user in the index, however many entries each of them has.
  const { rows } = await sql<{ user_id: number }>`
    WITH RECURSIVE waiting AS (
      (SELECT user_id FROM ${table} ORDER BY user_id LIMIT 1)
      UNION ALL
      SELECT n.user_id FROM waiting w CROSS JOIN LATERAL (
        SELECT user_id FROM ${table} WHERE user_id > w.user_id ORDER BY user_id LIMIT 1
      ) n
    )
    SELECT user_id FROM waiting LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** The names of the locks, which workers of all versions share. */
const LOCKS: Record<IndexQueue, string> = {
  email_search_queue: 'mail words',
  contact_search_queue: 'contact words',
}

/** Locks a user's part of a queue until the transaction ends. @returns false when another transaction has it locked */
export async function tryLockQueue(tx: Tx, queue: IndexQueue, userId: number): Promise<boolean> {
  const row = await rowOf<{ locked: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${LOCKS[queue]}, ${userId})) AS locked`
  return row?.locked ?? false
}
