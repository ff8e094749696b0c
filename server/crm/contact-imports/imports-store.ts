import { type Selectable, sql } from 'kysely'
import type { FileLayout } from '../../formats/contact-files/file-layout.ts'
import type { Repeat } from './import-messages.ts'
import { UNDOABLE } from './import-store.ts'
import type { ContactImportsTable } from './tables.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, findRow, hasRows, onlyRowOf, rowOf } from '../../platform/database/rows.ts'

export type ImportRow = Selectable<ContactImportsTable>

/** An import without its file layout, which may be long. */
export type SummaryRow = Omit<ImportRow, 'layout' | 'meanings' | 'tag_ids' | 'user_id'>

export type NewImport = Pick<ImportRow, 'file_name' | 'file_key' | 'size' | 'created_at'> & {
  layout: FileLayout
}

export async function addImport(db: Queryable, userId: number, file: NewImport): Promise<ImportRow> {
  return db
    .insertInto('contact_imports')
    .values({ user_id: userId, ...file, layout: JSON.stringify(file.layout), meanings: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const findImport = (db: Queryable, userId: number, id: number) =>
  findRow(db, 'contact_imports', userId, id)

/** The user's finished imports, newest first. */
export async function doneImports(db: Queryable, userId: number, since: Date, limit: number) {
  return db
    .selectFrom('contact_imports')
    .select(['id', 'file_name', 'file_key', 'size', 'created_at', 'finished_at', 'undone_at'])
    .select(['created', 'updated', 'skipped', 'refused'])
    .where('user_id', '=', userId)
    .where('finished_at', '>', since)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes a file that was not imported; returns its key in the blob store, or null when there is no such file. */
export async function dropUnused(db: Queryable, userId: number, id: number) {
  return rowOf<{ file_key: string | null }>(db)`
    DELETE FROM contact_imports WHERE user_id = ${userId} AND id = ${id} AND finished_at IS NULL RETURNING file_key`
}

/** Deletes the user's oldest files until at most `bytes` are left; returns their keys. */
export async function letGoBeyond(db: Queryable, userId: number, bytes: number): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    WITH kept AS (
      SELECT id, file_key, sum(size) OVER (ORDER BY id DESC) AS together FROM contact_imports
      WHERE user_id = ${userId} AND file_key IS NOT NULL),
    gone AS (
      UPDATE contact_imports i SET file_key = NULL FROM kept
      WHERE i.user_id = ${userId} AND i.id = kept.id AND kept.together > ${bytes})
    SELECT file_key FROM kept WHERE together > ${bytes}`.execute(db)
  return rows.map((row) => row.file_key)
}

/** Deletes up to `limit` expired imports of any user; returns the keys of their files. */
export async function forgetOldImports(
  db: Queryable,
  before: { unused: Date; done: Date },
  limit: number,
): Promise<{ forgotten: number; keys: string[] }> {
  const { rows } = await sql<{ file_key: string | null }>`
    DELETE FROM contact_imports WHERE (user_id, id) IN (
      SELECT user_id, id FROM contact_imports
      WHERE created_at < ${before.unused} AND (finished_at IS NULL OR finished_at < ${before.done})
      ORDER BY created_at LIMIT ${limit})
    RETURNING file_key`.execute(db)
  return { forgotten: rows.length, keys: rows.flatMap((row) => row.file_key ?? []) }
}

/** The next lines of an import, after this one, whose address appears in a later line again. */
export async function repeatsAfter(
  db: Queryable,
  userId: number,
  importId: number,
  line: number,
  limit: number,
): Promise<Repeat[]> {
  return db
    .selectFrom('contact_import_repeats')
    .select(['line', 'used_line as usedLine'])
    .where('user_id', '=', userId)
    .where('import_id', '=', importId)
    .where('line', '>', line)
    .orderBy('line')
    .limit(limit)
    .execute()
}

/** Contacts added by an import that still exist; `touched`: edited or written to since. */
function additions({ user_id: userId, id }: ImportRow, at: Date) {
  return sql`
    SELECT c.id, (c.updated_at > ${at}
      OR coalesce(a.last_sent_at >= ${at}, false) OR coalesce(a.last_received_at >= ${at}, false)
      OR EXISTS (
        SELECT FROM contact_tags t WHERE t.user_id = ${userId} AND t.contact_id = c.id AND NOT EXISTS (
          SELECT FROM contact_import_tags g WHERE g.user_id = ${userId} AND g.import_id = ${id}
            AND g.contact_id = c.id AND g.tag_id = t.tag_id))
      OR EXISTS (
        SELECT FROM contact_todos d WHERE d.user_id = ${userId} AND d.contact_id = c.id)) AS touched
    FROM (
      SELECT unnest(contact_ids) AS id FROM contact_import_additions WHERE user_id = ${userId} AND import_id = ${id}
    ) added
    JOIN contacts c ON c.user_id = ${userId} AND c.id = added.id
    JOIN contact_activity a ON a.user_id = ${userId} AND a.contact_id = c.id`
}

/** Changed contacts with at least one value that is still the imported one. */
function restorable({ user_id: userId, id }: ImportRow) {
  const given = UNDOABLE.map((field, n) => {
    const [after, before] = [sql.raw(`g.after[${n + 1}]`), sql.raw(`g.before[${n + 1}]`)]
    return sql`(${after} IS DISTINCT FROM ${before} AND c.${sql.ref(field)} = ${after})`
  })
  return sql`
    FROM contact_import_changes g JOIN contacts c ON c.user_id = ${userId} AND c.id = g.contact_id
    WHERE g.user_id = ${userId} AND g.import_id = ${id} AND (${sql.join(given, sql` OR `)})`
}

/** How many contacts undoing an import would remove, keep and restore. */
export async function countUndo(db: Queryable, row: ImportRow, at: Date) {
  return onlyRowOf<{ remove: number; keep: number; restore: number }>(db)`
    SELECT a.*, r.* FROM (
      SELECT count(*) FILTER (WHERE NOT touched) AS remove, count(*) FILTER (WHERE touched) AS keep
      FROM (${additions(row, at)}) added
    ) a, (SELECT count(*) AS restore ${restorable(row)}) r`
}

/** Claims an import for undoing; false when it was undone already. */
export async function markUndone(tx: Tx, { user_id, id }: ImportRow, now: Date) {
  return hasRows(tx)`
    UPDATE contact_imports SET undone_at = ${now}
    WHERE user_id = ${user_id} AND id = ${id} AND undone_at IS NULL RETURNING id`
}

/** Removes the contacts that the import added and that were not touched since. */
export async function removeAdditions(tx: Tx, row: ImportRow, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM contacts c USING (${additions(row, at)}) added
    WHERE c.user_id = ${row.user_id} AND c.id = added.id AND NOT added.touched AND c.updated_at <= ${at}`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Restores the values that the import overwrote, one by one, where they were not changed since. */
export async function restoreChanges(tx: Tx, row: ImportRow, now: Date): Promise<number> {
  const values = UNDOABLE.map((field, n) => {
    const place = sql.raw(`[${n + 1}]`)
    return sql`CASE WHEN c.${sql.ref(field)} = g.after${place} THEN g.before${place} ELSE c.${sql.ref(field)} END`
  })
  return execute(tx)`
    UPDATE contacts c SET (${sql.join(UNDOABLE.map((field) => sql.ref(field)))}, updated_at) = ROW (${sql.join(values)}, ${now}::timestamptz)
    FROM (SELECT c.id AS contact_id, g.before, g.after ${restorable(row)}) g
    WHERE c.user_id = ${row.user_id} AND c.id = g.contact_id`
}

/**
 * Removes the import's tags from contacts that existed before it, and deletes tags it created that are unused since.
 */
export async function takeOffTags(tx: Tx, { user_id: userId, id, tag_ids: made }: ImportRow): Promise<void> {
  await sql`
    DELETE FROM contact_tags t USING contact_import_tags g
    WHERE g.user_id = ${userId} AND g.import_id = ${id}
      AND t.user_id = ${userId} AND t.contact_id = g.contact_id AND t.tag_id = g.tag_id
      AND g.contact_id NOT IN (
        SELECT unnest(contact_ids) FROM contact_import_additions WHERE user_id = ${userId} AND import_id = ${id})`.execute(
    tx,
  )
  // Whoever is giving one of them to a contact has the tag locked: afterwards it is in use.
  await sql`SELECT FROM tags WHERE user_id = ${userId} AND id = ANY(${made}::bigint[]) ORDER BY id FOR UPDATE`.execute(
    tx,
  )
  await sql`
    DELETE FROM tags t WHERE t.user_id = ${userId} AND t.id = ANY(${made}::bigint[])
      AND NOT EXISTS (SELECT FROM contact_tags c WHERE c.user_id = ${userId} AND c.tag_id = t.id)`.execute(tx)
}
