import type { CopyConnection, CopyTarget } from '../../platform/database/copy.ts'
import type { RefusedRow } from './import-row.ts'
import { STAGING_COLUMNS } from './import-staging.ts'
import { repeatReason } from './refused-csv.ts'

/** What an import changes in an existing contact, and what undoing it restores, in this order. */
export const UNDOABLE = ['name', 'company', 'position', 'phone', 'notes', 'status'] as const

/** Ids in one row of contact_import_additions. */
const IDS_A_ROW = 10_000

/** A user's import, under whose id its changes are recorded. */
export type ImportKey = { userId: number; importId: number }

/** Opens a temporary table for the file's contacts, before any of them becomes a contact. */
export async function openStaging(connection: CopyConnection): Promise<CopyTarget> {
  // With the planner's usual 4 MB a large file would be sorted and joined on disk.
  await connection.query(`SET LOCAL work_mem = '48MB'`)
  await connection.query(`
    CREATE TEMP TABLE staged_contacts (line int, email_key text, email text, name text, fallback_name text,
      company text, position text, phone text, notes text, status text, tags text) ON COMMIT DROP`)
  return connection.copyInto(`staged_contacts (${STAGING_COLUMNS.join(', ')})`)
}

/**
 * Removes all but the last line of each address; `refused` are the first `limit` of those removed. All of them are
 * recorded with the import, if there is one.
 */
export async function dropRepeated(
  connection: CopyConnection,
  key: ImportKey | null,
  limit: number,
): Promise<{ total: number; refused: RefusedRow[] }> {
  const noted = `, noted AS (
    INSERT INTO contact_import_repeats (user_id, import_id, line, used_line) SELECT $2, $3, line, used FROM gone)`
  const { rows } = await connection.query(
    `WITH last AS (SELECT email_key, max(line) AS line FROM staged_contacts GROUP BY 1 HAVING count(*) > 1),
     gone AS (
       DELETE FROM staged_contacts s USING last WHERE s.email_key = last.email_key AND s.line < last.line
       RETURNING s.line, s.email, last.line AS used)
     ${key === null ? '' : noted}
     SELECT line, email, used, count(*) OVER () AS total FROM gone ORDER BY line LIMIT $1`,
    key === null ? [limit] : [limit, key.userId, key.importId],
  )
  const repeated = rows as { line: number; email: string; used: number; total: number }[]
  return {
    total: repeated[0]?.total ?? 0,
    refused: repeated.map(({ line, email, used }) => ({ line, email, reason: repeatReason(used) })),
  }
}

/** How many contacts are staged, and how many of their addresses the user already has. */
export async function countStaged(
  connection: CopyConnection,
  userId: number,
): Promise<{ staged: number; existing: number }> {
  const { rows } = await connection.query(
    `SELECT count(*) AS staged, count(c.id) AS existing
     FROM staged_contacts s LEFT JOIN contacts c ON c.user_id = $1 AND c.email_key = s.email_key`,
    [userId],
  )
  return rows[0] as { staged: number; existing: number }
}

/**
 * Turns staged rows into the user's contacts, in the order of the file, and records the changes. In an existing
 * contact only what the file fills in is changed, or with `skip` nothing; `existing` counts it even where nothing
 * differs.
 */
export async function mergeStaged(
  connection: CopyConnection,
  key: ImportKey,
  duplicates: 'update' | 'skip',
  now: Date,
): Promise<{ created: number; existing: number }> {
  const { userId, importId } = key
  // Two simultaneous imports of one user would lock the same contacts in different orders.
  await connection.query(`SELECT pg_advisory_xact_lock(hashtextextended('contacts import', $1))`, [userId])
  const counted = await connection.query(
    `SELECT count(*) AS staged, (SELECT total FROM contact_counts WHERE user_id = $1) AS present FROM staged_contacts`,
    [userId],
  )
  const { staged, present } = counted.rows[0] as { staged: number; present: number | null }
  if (duplicates === 'update' && (present ?? 0) > 0) await updatePresent(connection, key, now)
  const { rows } = await connection.query(
    `WITH made AS (
       INSERT INTO contacts (user_id, name, email, email_key, company, position, phone, notes, status, created_at, updated_at)
       SELECT $1, CASE WHEN s.name = '' THEN s.fallback_name ELSE s.name END, s.email, s.email_key, s.company, s.position,
         s.phone, s.notes, CASE WHEN s.status = '' THEN 'prospect' ELSE s.status END, $3, $3
       FROM staged_contacts s
       WHERE NOT EXISTS (SELECT FROM contacts c WHERE c.user_id = $1 AND c.email_key = s.email_key)
       ORDER BY s.line
       -- Somebody added this address a moment ago by hand: that one stays.
       ON CONFLICT (user_id, email_key) DO NOTHING
       RETURNING id),
     noted AS (
       INSERT INTO contact_import_additions (user_id, import_id, part, contact_ids)
       SELECT $1, $2, part, array_agg(id) FROM (SELECT id, row_number() OVER () / ${IDS_A_ROW} AS part FROM made) m
       GROUP BY part)
     SELECT count(*) AS created FROM made`,
    [userId, importId, now],
  )
  const { created } = rows[0] as { created: number }
  return { created, existing: staged - created }
}

async function updatePresent(connection: CopyConnection, { userId, importId }: ImportKey, now: Date) {
  const old = UNDOABLE.map((field) => `c.${field}`)
  const filled = UNDOABLE.map((field) => `CASE WHEN s.${field} = '' THEN c.${field} ELSE s.${field} END`)
  await connection.query(
    `WITH changing AS MATERIALIZED (
       SELECT c.id, ARRAY[${old.join(', ')}] AS before, ARRAY[${filled.join(', ')}] AS after
       FROM contacts c JOIN staged_contacts s ON s.email_key = c.email_key
       WHERE c.user_id = $1 AND (${old.join(', ')}) IS DISTINCT FROM (${filled.join(', ')})
       FOR UPDATE OF c),
     noted AS (
       INSERT INTO contact_import_changes (user_id, import_id, contact_id, before, after)
       SELECT $1, $2, id, before, after FROM changing)
     UPDATE contacts c
     SET (${UNDOABLE.join(', ')}, updated_at) = ROW (${UNDOABLE.map((_, n) => `g.after[${n + 1}]`).join(', ')}, $3::timestamptz)
     FROM changing g WHERE c.user_id = $1 AND c.id = g.id`,
    [userId, importId, now],
  )
}

/** Marks an import as done. */
export async function finishImport(
  connection: CopyConnection,
  { userId, importId }: ImportKey,
  result: { created: number; updated: number; skipped: number; refused: number; meanings: readonly string[] },
  now: Date,
): Promise<boolean> {
  const { created, updated, skipped, refused, meanings } = result
  const { count } = await connection.query(
    `UPDATE contact_imports SET finished_at = $3, created = $4, updated = $5, skipped = $6, refused = $7, meanings = $8
     WHERE user_id = $1 AND id = $2 AND finished_at IS NULL`,
    [userId, importId, now, created, updated, skipped, refused, [...meanings]],
  )
  return count > 0
}
