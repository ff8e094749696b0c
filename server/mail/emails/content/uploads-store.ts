import { type Selectable, sql } from 'kysely'
import type { StoredFile, UploadsTable } from '../tables.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { numberOf, rowsOf } from '../../../platform/database/rows.ts'

export type UploadRow = Selectable<UploadsTable>

/** A file of a mail that was written here. */
export type MailFile = Pick<UploadRow, 'id' | 'name' | 'type' | 'size' | 'blob_key'> & {
  contentId: string | null
  inline: boolean
  isQuoted: boolean
}

/** Adds an uploaded file, which no mail uses yet. */
export async function addUpload(
  db: Queryable,
  userId: number,
  file: Pick<UploadRow, 'name' | 'type' | 'size' | 'blob_key' | 'created_at'>,
): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({ user_id: userId, ...file })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The user's uploads with these ids, in this order; missing ones are left out. */
export async function uploadsById(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<UploadRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<UploadRow>`
    SELECT * FROM uploads WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Total bytes of the user's uploads that no mail uses. */
export async function unusedBytes(db: Queryable, userId: number): Promise<number> {
  return numberOf(db)`
    SELECT coalesce(sum(size), 0)::bigint AS bytes FROM uploads WHERE user_id = ${userId} AND NOT is_used
    `
}

/** The files of a mail that was written here, in their order. */
export async function filesOf(db: Queryable, userId: number, emailId: number): Promise<MailFile[]> {
  return rowsOf<MailFile>(db)`
    SELECT u.id, u.name, u.type, u.size, u.blob_key, f.content_id AS "contentId", f.inline, f.is_quoted AS "isQuoted"
    FROM email_files f JOIN uploads u ON u.user_id = f.user_id AND u.id = f.upload_id
    WHERE f.user_id = ${userId} AND f.email_id = ${emailId} ORDER BY f.place`
}

/**
 * Replaces the files of a mail, and what lists show of them. A file that has been deleted in the meantime is left out.
 *
 * @returns how many files the mail has now
 */
export async function setFiles(
  tx: Tx,
  userId: number,
  emailId: number,
  files: readonly MailFile[],
): Promise<number> {
  const { rows: found } = await sql<{ id: number }>`
    UPDATE uploads SET is_used = true
    WHERE user_id = ${userId} AND id = ANY(${files.map(({ id }) => id)}::bigint[]) RETURNING id`.execute(tx)
  const foundIds = new Set(found.map(({ id }) => id))
  const kept = files.filter(({ id }) => foundIds.has(id))
  await tx.deleteFrom('email_files').where('user_id', '=', userId).where('email_id', '=', emailId).execute()
  if (kept.length > 0) {
    await tx
      .insertInto('email_files')
      .values(
        kept.map(({ id, contentId, inline, isQuoted }, place) => ({
          user_id: userId,
          email_id: emailId,
          place,
          upload_id: id,
          content_id: contentId,
          inline,
          is_quoted: isQuoted,
        })),
      )
      .execute()
    // Deleting the old rows has marked the files that are in both lists as unused.
    await sql`UPDATE uploads SET is_used = true
      WHERE user_id = ${userId} AND NOT is_used AND id = ANY(${kept.map(({ id }) => id)}::bigint[])
      `.execute(tx)
  }
  await storeFileList(tx, userId, emailId, kept)
  return kept.length
}

async function storeFileList(
  tx: Tx,
  userId: number,
  emailId: number,
  files: readonly MailFile[],
): Promise<void> {
  const stored = files.map(({ name, type, size, contentId, inline }): StoredFile => ({
    name,
    type,
    size,
    contentId,
    inline,
  }))
  const names = files.filter(({ inline }) => !inline).map(({ name }) => name)
  await sql`UPDATE email_bodies SET files = ${JSON.stringify(stored)}
    WHERE user_id = ${userId} AND email_id = ${emailId}`.execute(tx)
  await sql`UPDATE emails SET attachment_names = ${names} WHERE user_id = ${userId} AND id = ${emailId}
    `.execute(tx)
}

/** Deletes uploads that no mail uses and that are older than `before`. @returns their blob keys */
export async function deleteUnused(db: Queryable, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    DELETE FROM uploads u USING (
      SELECT user_id, id FROM uploads WHERE NOT is_used AND created_at < ${before}
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) old
    WHERE u.user_id = old.user_id AND u.id = old.id AND NOT u.is_used
    RETURNING u.blob_key AS key`.execute(db)
  return rows.map(({ key }) => key)
}
