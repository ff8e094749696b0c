import { sql } from 'kysely'
import type { UidSpace } from '../messages/locations-store.ts'
import type { Queryable, Tx } from '../../database/handles.ts'

export type PutAside = { uid: number; reason: string; size: number }

/** Puts unreadable messages aside so that the rest can be read. */
export async function putAside(tx: Tx, at: UidSpace, mails: readonly PutAside[], now: Date): Promise<void> {
  if (mails.length === 0) return
  await tx
    .insertInto('quarantined_mails')
    .values(
      mails.map((mail) => ({
        user_id: at.userId,
        mailbox_id: at.mailboxId,
        path: at.path,
        uid_validity: at.uidValidity,
        put_aside_at: now,
        ...mail,
      })),
    )
    .onConflict((existing) => existing.doNothing())
    .execute()
}

/** Messages of the folder whose bodies are still to be fetched, newest first. */
export async function incompleteMails(
  db: Queryable,
  at: UidSpace,
  limit: number,
): Promise<{ emailId: number; threadId: number; uid: number }[]> {
  const { rows } = await sql<{ emailId: number; threadId: number; uid: number }>`
    SELECT e.id AS "emailId", e.thread_id AS "threadId", l.uid
    FROM emails e CROSS JOIN LATERAL (
      SELECT uid FROM email_locations l
      WHERE l.user_id = e.user_id AND l.email_id = e.id AND l.mailbox_id = ${at.mailboxId} AND l.path = ${at.path}
        AND l.uid_validity = ${at.uidValidity}
        AND NOT EXISTS (SELECT FROM quarantined_mails q WHERE q.user_id = l.user_id AND q.mailbox_id = l.mailbox_id
          AND q.path = l.path AND q.uid_validity = l.uid_validity AND q.uid = l.uid)
      LIMIT 1
    ) l
    WHERE e.user_id = ${at.userId} AND e.mailbox_id = ${at.mailboxId} AND NOT e.has_body
    ORDER BY e.occurred_at DESC LIMIT ${limit}`.execute(db)
  return rows
}

/** How many messages of the folder are known, and how many of those are put aside or lack their body. */
export async function countKnown(
  db: Queryable,
  at: UidSpace,
): Promise<{ located: number; aside: number; incomplete: number }> {
  const { rows } = await sql<{ located: number; aside: number; incomplete: number }>`
    SELECT
      (SELECT count(*) FROM email_locations WHERE user_id = ${at.userId} AND mailbox_id = ${at.mailboxId} AND path = ${at.path}
        AND uid_validity = ${at.uidValidity}) AS located,
      (SELECT count(*) FROM quarantined_mails q WHERE user_id = ${at.userId} AND mailbox_id = ${at.mailboxId} AND path = ${at.path}
        AND uid_validity = ${at.uidValidity} AND NOT EXISTS (SELECT FROM email_locations l WHERE l.user_id = q.user_id
          AND l.mailbox_id = q.mailbox_id AND l.path = q.path AND l.uid_validity = q.uid_validity AND l.uid = q.uid)) AS aside,
      (SELECT count(DISTINCT e.id) FROM emails e JOIN email_locations l ON l.user_id = e.user_id AND l.email_id = e.id
        WHERE e.user_id = ${at.userId} AND e.mailbox_id = ${at.mailboxId} AND NOT e.has_body AND l.mailbox_id = ${at.mailboxId}
          AND l.path = ${at.path} AND l.uid_validity = ${at.uidValidity}
          AND NOT EXISTS (SELECT FROM quarantined_mails q WHERE q.user_id = l.user_id AND q.mailbox_id = l.mailbox_id
            AND q.path = l.path AND q.uid_validity = l.uid_validity AND q.uid = l.uid)) AS incomplete`.execute(
    db,
  )
  return rows[0] ?? { located: 0, aside: 0, incomplete: 0 }
}

/**
 * Forgets the folder's locations whose UID is not in `existing`. The messages stay; they are reconciled once the other
 * folders have been read.
 */
export async function dropGone(tx: Tx, at: UidSpace, existing: readonly number[], now: Date): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM email_locations l
      WHERE l.user_id = ${at.userId} AND l.mailbox_id = ${at.mailboxId} AND l.path = ${at.path} AND l.uid_validity = ${at.uidValidity}
        AND NOT (l.uid = ANY(${[...existing]}::bigint[]))
      RETURNING l.email_id
    )
    INSERT INTO relocations (user_id, mailbox_id, email_id, noticed_at, may_be_gone)
    SELECT DISTINCT ${at.userId}::bigint, ${at.mailboxId}::bigint, email_id, ${now}::timestamptz, true FROM gone ORDER BY 3
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE
      SET noticed_at = excluded.noticed_at, may_be_gone = true, gone_at = NULL`.execute(tx)
  await sql`
    DELETE FROM quarantined_mails q
    WHERE q.user_id = ${at.userId} AND q.mailbox_id = ${at.mailboxId} AND q.path = ${at.path} AND q.uid_validity = ${at.uidValidity}
      AND NOT (q.uid = ANY(${[...existing]}::bigint[]))`.execute(tx)
}

/** Forgets the folder's UIDs under any other UIDVALIDITY: they are no longer valid. */
export async function dropOldUids(tx: Tx, at: UidSpace): Promise<void> {
  for (const table of ['email_locations', 'quarantined_mails'] as const) {
    await tx
      .deleteFrom(table)
      .where('user_id', '=', at.userId)
      .where('mailbox_id', '=', at.mailboxId)
      .where('path', '=', at.path)
      .where('uid_validity', '!=', at.uidValidity)
      .execute()
  }
}

/** How many messages from others the account has received since an instant. */
export async function countArrived(
  db: Queryable,
  userId: number,
  mailboxId: number,
  since: Date,
  inboxOnly: boolean,
): Promise<number> {
  let query = db
    .selectFrom('emails')
    .select((get) => get.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .where('created_at', '>=', since)
    .where('direction', '=', 'in')
  if (inboxOnly) query = query.where('folder', '=', 'inbox')
  return (await query.executeTakeFirst())?.count ?? 0
}
