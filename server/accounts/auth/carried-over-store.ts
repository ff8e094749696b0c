import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { BanRow } from './bans-store.ts'
import { countAdministrators, setAdministrator } from './store.ts'
import { execute, rowsOf } from '../../platform/database/rows.ts'

/** The bans in force of a database, after a user; for another database. */
export async function activeBansAfter(db: Queryable, after: number, limit: number): Promise<BanRow[]> {
  return db
    .selectFrom('bans')
    .selectAll()
    .where('status', '=', 'active')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/**
 * Bans the users of another database's bans. Those of unknown users are left out, and those that would leave no
 * administrator. A link to appeal is not taken over: the next log-in gives a new one. Returns how many bans were not here.
 */
export async function carriedBans(tx: Tx, bans: readonly BanRow[]): Promise<number> {
  return execute(tx)`
    WITH carried AS (
      INSERT INTO bans AS b (user_id, reason, description, by_rules, banned_by, banned_at, expires_at)
      SELECT c.user_id, c.reason, c.description, c.by_rules, c.banned_by, c.banned_at, c.expires_at
      FROM json_populate_recordset(NULL::bans, ${JSON.stringify(bans)}::json) c
      JOIN users u ON u.id = c.user_id AND NOT u.is_system
      WHERE NOT u.is_admin OR EXISTS (
        SELECT FROM users o WHERE o.is_admin AND o.is_active AND o.deleted_at IS NULL
          AND o.id <> ALL(${bans.map((ban) => ban.user_id)}::bigint[]))
      ON CONFLICT (user_id) WHERE status = 'active' DO UPDATE SET reason = excluded.reason,
        description = excluded.description, by_rules = excluded.by_rules, banned_by = excluded.banned_by,
        banned_at = excluded.banned_at, expires_at = excluded.expires_at
        WHERE date_trunc('milliseconds', b.banned_at) <> date_trunc('milliseconds', excluded.banned_at)
      RETURNING user_id
    )
    UPDATE users u SET is_active = false FROM carried c WHERE u.id = c.user_id`
}

/** Ends the rights of administrators who are none any more in another database, but never those of the last one. Returns how many. */
export async function demoteFormer(tx: Tx, before: Queryable): Promise<number> {
  const here = await tx
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where('is_admin', '=', true)
    .orderBy('id')
    .execute()
  const { rows: former } = await sql<{ id: number }>`
    SELECT u.id FROM unnest(${here.map(({ id }) => id)}::bigint[], ${here.map((user) => user.created_at)}::timestamptz[])
      AS asked(id, created_at)
    JOIN users u ON u.id = asked.id AND date_trunc('milliseconds', u.created_at) = date_trunc('milliseconds', asked.created_at)
    WHERE NOT u.is_admin ORDER BY u.id`.execute(before)
  let demoted = 0
  for (const { id } of former)
    if ((await countAdministrators(tx)) > 1 && (await setAdministrator(tx, id, false)) !== undefined)
      demoted += 1
  return demoted
}

export type UsedCode = { user_id: number; signature: string; used_at: Date }

/** Recovery codes that a database has seen used since a time, after one of them; for another database. */
export async function usedCodesAfter(
  db: Queryable,
  since: Date,
  after: { userId: number; signature: string },
  limit: number,
) {
  return rowsOf<UsedCode>(db)`
    SELECT user_id, signature, used_at FROM recovery_codes
    WHERE used_at >= ${since} AND (user_id, signature) > (${after.userId}, ${after.signature})
    ORDER BY user_id, signature LIMIT ${limit}`
}

/** Uses up recovery codes that were used in another database. */
export async function useUp(tx: Tx, codes: readonly UsedCode[]): Promise<void> {
  await sql`
    UPDATE recovery_codes r SET used_at = c.used_at
    FROM json_populate_recordset(NULL::recovery_codes, ${JSON.stringify(codes)}::json) c
    WHERE r.user_id = c.user_id AND r.signature = c.signature AND r.used_at IS NULL`.execute(tx)
}
