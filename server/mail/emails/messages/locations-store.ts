import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'

/** A folder of an account and the UIDVALIDITY that its UIDs belong to. */
export type UidSpace = { userId: number; mailboxId: number; path: string; uidValidity: string }

/** SQL: whether a row, under an alias if one is given, is of this folder and UIDVALIDITY. */
export function inSpace({ userId, mailboxId, path, uidValidity }: UidSpace, alias?: string) {
  const of = (column: string) => sql.ref(alias === undefined ? column : `${alias}.${column}`)
  return sql<boolean>`${of('user_id')} = ${userId} AND ${of('mailbox_id')} = ${mailboxId}
    AND ${of('path')} = ${path} AND ${of('uid_validity')} = ${uidValidity}`
}

/** Records the locations of mails; a UID that is recorded already stays as it is. */
export async function insertLocations(
  db: Queryable,
  at: UidSpace,
  rows: readonly { uid: number; emailId: number }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    INSERT INTO email_locations (user_id, mailbox_id, path, uid_validity, uid, email_id)
    SELECT ${at.userId}::bigint, ${at.mailboxId}::bigint, ${at.path}::text, ${at.uidValidity}::text, l.uid, l.email_id
    FROM unnest(${rows.map((row) => row.uid)}::bigint[], ${rows.map((row) => row.emailId)}::bigint[]) AS l(uid, email_id)
    ON CONFLICT DO NOTHING`.execute(db)
}

/** The UIDs from `from` to `to` whose mails are stored or quarantined. */
export async function knownUids(db: Queryable, at: UidSpace, from: number, to: number): Promise<Set<number>> {
  const { rows } = await sql<{ uid: number }>`
    SELECT uid FROM email_locations
    WHERE user_id = ${anyUser(at.userId)} AND mailbox_id = ${at.mailboxId} AND path = ${at.path} AND uid_validity = ${at.uidValidity}
      AND uid BETWEEN ${from} AND ${to}
    UNION ALL
    SELECT uid FROM quarantined_mails
    WHERE user_id = ${anyUser(at.userId)} AND mailbox_id = ${at.mailboxId} AND path = ${at.path} AND uid_validity = ${at.uidValidity}
      AND uid BETWEEN ${from} AND ${to}`.execute(db)
  return new Set(rows.map((row) => row.uid))
}

/** Which mails these UIDs belong to, as far as they are stored. */
export async function emailsAt(
  db: Queryable,
  at: UidSpace,
  uids: readonly number[],
): Promise<Map<number, number>> {
  if (uids.length === 0) return new Map()
  const { rows } = await sql<{ uid: number; emailId: number }>`
    SELECT uid, email_id AS "emailId" FROM email_locations
    WHERE ${inSpace(at)} AND uid = ANY(${[...uids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ uid, emailId }) => [uid, emailId]))
}

/** The mails whose copies their provider filed under these Message-IDs, by Message-ID. */
export async function rewrittenIds(
  db: Queryable,
  userId: number,
  messageIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ messageId: string; emailId: number }>`
    SELECT message_id AS "messageId", email_id AS "emailId" FROM rewritten_message_ids
    WHERE user_id = ${anyUser(userId)} AND message_id = ANY(${[...messageIds]}::text[])`.execute(db)
  return new Map(rows.map(({ messageId, emailId }) => [messageId, emailId]))
}

/** Records that deleted mails are on the server again. */
export async function noteRevived(
  tx: Tx,
  at: UidSpace,
  emailIds: readonly number[],
  now: Date,
): Promise<void> {
  if (emailIds.length === 0) return
  await sql`
    INSERT INTO relocations (user_id, mailbox_id, email_id, noticed_at, may_be_gone)
    SELECT user_id, ${at.mailboxId}::bigint, id, ${now}::timestamptz, false FROM emails
    WHERE user_id = ${at.userId} AND id = ANY(${[...emailIds]}::bigint[]) AND folder = 'deleted'
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE SET gone_at = NULL`.execute(tx)
}

/** The newest stored UIDs of a folder, newest first. */
export async function newestKnown(db: Queryable, at: UidSpace, limit: number): Promise<number[]> {
  const { rows } = await sql<{ uid: number }>`
    SELECT uid FROM email_locations WHERE ${inSpace(at)} ORDER BY uid DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ uid }) => uid)
}
