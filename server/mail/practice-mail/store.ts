import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { rowsOf } from '../../platform/database/rows.ts'

export type NewAnswer = { user_id: number; mailbox_id: number; due_at: Date; raw: Buffer }
export type DueAnswer = NewAnswer & { id: number }

/** Adds answers of one or many users in one statement. */
export async function addAnswers(db: Queryable, rows: readonly NewAnswer[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('practice_answers')
      .values([...rows])
      .execute()
}

/**
 * Takes due answers, longest waiting first, and deletes them: they are gone when the transaction commits. At most
 * `count`, and no more than `bytes` of mail beyond the first.
 */
export async function takeDueAnswers(tx: Tx, now: Date, count: number, bytes: number): Promise<DueAnswer[]> {
  return rowsOf<DueAnswer>(tx)`
    WITH due AS (
      SELECT user_id, id, due_at, octet_length(raw) AS size FROM practice_answers
      WHERE due_at <= ${now} AND NOT mail_is_paused(user_id) ORDER BY due_at, id LIMIT ${count} FOR UPDATE SKIP LOCKED
    ), fitting AS (
      SELECT user_id, id, sum(size) OVER (ORDER BY due_at, id) - size AS before FROM due
    ), taken AS (
      DELETE FROM practice_answers a USING fitting f
      WHERE a.user_id = f.user_id AND a.id = f.id AND f.before < ${bytes} RETURNING a.*
    )
    SELECT * FROM taken ORDER BY due_at, id`
}

/** Puts back an answer that could not be ingested, for later. */
export async function postponeAnswer(db: Queryable, userId: number, id: number, until: Date): Promise<void> {
  await sql`UPDATE practice_answers SET due_at = ${until} WHERE user_id = ${userId} AND id = ${id}
    `.execute(db)
}

/** Deletes the pending answers of a practice mailbox. */
export async function dropAnswers(tx: Tx, userId: number, mailboxId: number): Promise<void> {
  await sql`DELETE FROM practice_answers WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}`.execute(tx)
}

/** The first people written to from a practice mailbox, in order. */
export async function firstPeople(db: Queryable, userId: number, mailboxId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT address_key AS key FROM practice_first_people
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} ORDER BY place`.execute(db)
  return rows.map(({ key }) => key)
}

/** Gives an address the next of the first `places`, unless it has one or all are taken. */
export async function addFirstPerson(
  db: Queryable,
  userId: number,
  mailboxId: number,
  addressKey: string,
  places: number,
): Promise<void> {
  await sql`
    INSERT INTO practice_first_people (user_id, mailbox_id, place, address_key)
    SELECT ${userId}, ${mailboxId}, count(*), ${addressKey} FROM practice_first_people
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}
    HAVING count(*) < ${places}
    ON CONFLICT DO NOTHING`.execute(db)
}
