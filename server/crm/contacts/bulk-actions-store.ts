import { sql } from 'kysely'
import { type ContactFilter, matching } from './matching-store.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { idsOf, numberOf, removeRow } from '../../platform/database/rows.ts'

/** The ids of contacts that match a filter, or of given ones that still exist, at most `limit`. */
export async function selectIds(
  db: Queryable,
  userId: number,
  which: ContactFilter | readonly number[],
  limit: number,
  now: Date,
): Promise<number[]> {
  const from =
    'search' in which
      ? await matching(db, userId, which, now)
      : sql`FROM contacts c WHERE c.user_id = ${userId} AND c.id = ANY(${[...which]}::bigint[])`
  return idsOf(db)`SELECT c.id ${from} LIMIT ${limit}`
}

/** The addresses of contacts, normalized for comparison. */
export async function addressesOfContacts(db: Queryable, userId: number, ids: readonly number[]) {
  const { rows } = await sql<{ key: string }>`
    SELECT email_key AS key FROM contacts WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[]) ORDER BY 1`.execute(
    db,
  )
  return rows.map((row) => row.key)
}

export type ContactAction = {
  id: number
  action: 'tag' | 'untag' | 'delete'
  tag_id: number | null
  contact_ids: number[]
}

/** Records what a bulk action did, so that it can be undone; returns the record's id. */
export async function noteAction(db: Queryable, userId: number, done: Omit<ContactAction, 'id'>, now: Date) {
  const { id } = await db
    .insertInto('contact_actions')
    .values({ user_id: userId, ...done, done_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An action that is undone, and when it was done. */
export type UndoneAction = ContactAction & { done_at: Date }

/** An action done after `since`, locked for the call that undoes it. */
export async function findAction(db: Queryable, userId: number, id: number, since: Date) {
  return db
    .selectFrom('contact_actions')
    .select(['id', 'action', 'tag_id', 'contact_ids', 'done_at'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('done_at', '>', since)
    .forUpdate()
    .executeTakeFirst()
}

/** Forgets an action, with the contacts that it keeps. */
export async function forgetAction(tx: Tx, userId: number, id: number): Promise<void> {
  await sql`DELETE FROM deleted_contacts WHERE user_id = ${userId} AND action_id = ${id}`.execute(tx)
  await removeRow(tx, 'contact_actions', userId, id)
}

/** Forgets up to `limit` earlier actions, of all users, with the contacts that they keep; returns how many. */
export async function forgetActionsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  return numberOf(db)`
    WITH old AS (
      DELETE FROM contact_actions a USING (SELECT user_id, id FROM contact_actions WHERE done_at <= ${before} LIMIT ${limit}) o
      WHERE a.user_id = o.user_id AND a.id = o.id RETURNING a.user_id, a.id
    ), kept AS (
      DELETE FROM deleted_contacts d USING old WHERE d.user_id = old.user_id AND d.action_id = old.id
    )
    SELECT count(*)::int AS forgotten FROM old`
}

/** Until this transaction ends, tags and statuses that contacts get start no sequences: they only get them back. */
export async function startNoSequences(tx: Tx): Promise<void> {
  await sql`SELECT set_config('howl.sequences_off', '1', true)`.execute(tx)
}

/** Until this transaction ends, tags that contacts lose take them out of the sequences that they began for them since then. */
export async function takeOutOfSequences(tx: Tx, since: Date): Promise<void> {
  await sql`SELECT set_config('howl.undone_since', ${since.toISOString()}, true)`.execute(tx)
}

const KEPT = sql.raw(
  'id, name, email, email_key, company, phone, "position", notes, status, created_at, updated_at',
)

/** Deletes contacts and keeps them under an action as they were; returns how many. */
export async function moveToDeleted(db: Queryable, userId: number, actId: number, ids: readonly number[]) {
  const wanted = [...ids]
  await sql`
    INSERT INTO deleted_contacts (user_id, action_id, ${KEPT}, tag_ids, todo_ids)
    SELECT ${userId}, ${actId}, ${sql.raw('c.id, c.name, c.email, c.email_key, c.company, c.phone, c."position", c.notes, c.status, c.created_at, c.updated_at')},
      coalesce(t.tag_ids, '{}'), coalesce(d.todo_ids, '{}')
    FROM (SELECT * FROM contacts WHERE user_id = ${userId} AND id = ANY(${wanted}::bigint[]) FOR UPDATE) c
    LEFT JOIN (SELECT contact_id, array_agg(tag_id) AS tag_ids FROM contact_tags
      WHERE user_id = ${userId} AND contact_id = ANY(${wanted}::bigint[]) GROUP BY 1) t ON t.contact_id = c.id
    LEFT JOIN contact_todos d ON d.user_id = ${userId} AND d.contact_id = c.id AND d.contact_id = ANY(${wanted}::bigint[])`.execute(
    db,
  )
  const { numAffectedRows } = await sql`
    DELETE FROM contacts c USING deleted_contacts d
    WHERE d.user_id = ${userId} AND d.action_id = ${actId} AND c.user_id = ${userId} AND c.id = d.id`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Restores the contacts of an action under their old ids, except where the address is taken by now; returns how many. */
export async function restoreDeleted(db: Queryable, userId: number, actId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO contacts (user_id, ${KEPT}) OVERRIDING SYSTEM VALUE
    SELECT user_id, ${KEPT} FROM deleted_contacts WHERE user_id = ${userId} AND action_id = ${actId} ORDER BY id
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`
    INSERT INTO contact_tags (user_id, contact_id, tag_id)
    SELECT ${userId}, d.id, t.id
    FROM deleted_contacts d CROSS JOIN LATERAL unnest(d.tag_ids) AS carried(tag_id)
    JOIN (SELECT id FROM tags WHERE user_id = ${userId} FOR KEY SHARE) t ON t.id = carried.tag_id
    JOIN contacts c ON c.user_id = ${userId} AND c.id = d.id
    WHERE d.user_id = ${userId} AND d.action_id = ${actId} ON CONFLICT DO NOTHING`.execute(db)
  await sql`SELECT tie_todos(${userId}, ${actId})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
