import type { CopyConnection, CopyTarget } from '../database/copy.ts'
import { copyLine } from '../database/copy.ts'
import type { ImportedContact, RefusedRow } from './import-row.ts'

const COLUMNS = [
  'line',
  'email_key',
  'email',
  'name',
  'fallback_name',
  'company',
  'position',
  'phone',
  'notes',
  'status',
] as const satisfies readonly (keyof ImportedContact)[]

/** Opens a table of this transaction that takes the file's contacts before any of them becomes one. */
export async function openStaging(connection: CopyConnection): Promise<CopyTarget> {
  // The planner's usual 4 MB would sort and join a large file on disk.
  await connection.query(`SET LOCAL work_mem = '48MB'`)
  await connection.query(`
    CREATE TEMP TABLE staged_contacts (line int, email_key text, email text, name text, fallback_name text,
      company text, position text, phone text, notes text, status text) ON COMMIT DROP`)
  return connection.copyInto(`staged_contacts (${COLUMNS.join(', ')})`)
}

/** A contact as the staging table's COPY takes it. */
export function stagedLine(contact: ImportedContact): string {
  return copyLine(COLUMNS.map((column) => contact[column]))
}

/** Takes out all but the last line of each address; `refused` are the first `limit` of those taken out. */
export async function dropRepeated(
  connection: CopyConnection,
  limit: number,
): Promise<{ total: number; refused: RefusedRow[] }> {
  const { rows } = await connection.query(
    `WITH last AS (SELECT email_key, max(line) AS line FROM staged_contacts GROUP BY 1 HAVING count(*) > 1),
     gone AS (
       DELETE FROM staged_contacts s USING last WHERE s.email_key = last.email_key AND s.line < last.line
       RETURNING s.line, s.email, last.line AS used)
     SELECT line, email, used, count(*) OVER () AS total FROM gone ORDER BY line LIMIT $1`,
    [limit],
  )
  const repeated = rows as { line: number; email: string; used: number; total: number }[]
  return {
    total: repeated[0]?.total ?? 0,
    refused: repeated.map(({ line, email, used }) => ({
      line,
      email,
      reason: `The same address is in line ${used} again; that line was used`,
    })),
  }
}

/**
 * Turns what is staged into contacts of the user, in the order of the file. Of a contact that is there already only
 * what the file fills in is changed; `updated` counts it even where nothing differs.
 */
export async function mergeStaged(
  connection: CopyConnection,
  userId: number,
  now: Date,
): Promise<{ created: number; updated: number }> {
  // Two imports of one user at once would lock the same contacts in different orders.
  await connection.query(`SELECT pg_advisory_xact_lock(hashtextextended('contacts import', $1))`, [userId])
  const { rows } = await connection.query(
    `SELECT count(*) AS staged, (SELECT total FROM contact_counts WHERE user_id = $1) AS present FROM staged_contacts`,
    [userId],
  )
  const { staged, present } = rows[0] as { staged: number; present: number | null }
  if ((present ?? 0) > 0) await updatePresent(connection, userId, now)
  const { count: created } = await connection.query(
    `INSERT INTO contacts (user_id, name, email, email_key, company, position, phone, notes, status, created_at, updated_at)
     SELECT $1, CASE WHEN s.name = '' THEN s.fallback_name ELSE s.name END, s.email, s.email_key, s.company, s.position,
       s.phone, s.notes, CASE WHEN s.status = '' THEN 'prospect' ELSE s.status END, $2, $2
     FROM staged_contacts s
     WHERE NOT EXISTS (SELECT FROM contacts c WHERE c.user_id = $1 AND c.email_key = s.email_key)
     ORDER BY s.line
     -- Somebody added this address a moment ago by hand: that one stays.
     ON CONFLICT (user_id, email_key) DO NOTHING`,
    [userId, now],
  )
  return { created, updated: staged - created }
}

async function updatePresent(connection: CopyConnection, userId: number, now: Date): Promise<void> {
  const fields = ['name', 'company', 'position', 'phone', 'notes', 'status']
  const filled = fields.map((field) => `CASE WHEN s.${field} = '' THEN c.${field} ELSE s.${field} END`)
  await connection.query(
    `UPDATE contacts c SET (${fields.join(', ')}, updated_at) = ROW (${filled.join(', ')}, $2::timestamptz)
     FROM staged_contacts s
     WHERE c.user_id = $1 AND c.email_key = s.email_key
       AND (${fields.map((field) => `c.${field}`).join(', ')}) IS DISTINCT FROM (${filled.join(', ')})`,
    [userId, now],
  )
}
