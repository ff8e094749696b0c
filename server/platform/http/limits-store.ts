import type { Queryable } from '../database/handles.ts'
import { execute, onlyRowOf } from '../database/rows.ts'

/** Counts one call under `key` in a window that begins with its first call. All processes share the count. */
export function countCall(db: Queryable, key: string, now: Date, seconds: number) {
  const endsAt = new Date(now.getTime() + seconds * 1000)
  return onlyRowOf<{ calls: number; endsAt: Date }>(db)`
    INSERT INTO call_counts AS c (key, calls, ends_at) VALUES (${key}, 1, ${endsAt})
    ON CONFLICT (key) DO UPDATE SET
      calls = CASE WHEN c.ends_at <= ${now} THEN 1 ELSE c.calls + 1 END,
      ends_at = CASE WHEN c.ends_at <= ${now} THEN excluded.ends_at ELSE c.ends_at END
    RETURNING calls, ends_at AS "endsAt"`
}

/** Forgets windows that ended before `now`. */
export const forgetCounts = (db: Queryable, now: Date) =>
  execute(db)`DELETE FROM call_counts WHERE ends_at < ${now}`
