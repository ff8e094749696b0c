import { sql } from 'kysely'
import type { Queryable } from '../database/handles.ts'

/** Counts one call under `key` in a window that begins with its first call. All processes share the count. */
export async function countCall(
  db: Queryable,
  key: string,
  now: Date,
  seconds: number,
): Promise<{ calls: number; endsAt: Date }> {
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const { rows } = await sql<{ calls: number; endsAt: Date }>`
    INSERT INTO call_counts AS c (key, calls, ends_at) VALUES (${key}, 1, ${endsAt})
    ON CONFLICT (key) DO UPDATE SET
      calls = CASE WHEN c.ends_at <= ${now} THEN 1 ELSE c.calls + 1 END,
      ends_at = CASE WHEN c.ends_at <= ${now} THEN excluded.ends_at ELSE c.ends_at END
    RETURNING calls, ends_at AS "endsAt"`.execute(db)
  return rows[0] ?? { calls: 1, endsAt }
}

/** Forgets windows that ended before `now`. */
export async function forgetCounts(db: Queryable, now: Date): Promise<void> {
  await sql`DELETE FROM call_counts WHERE ends_at < ${now}`.execute(db)
}
