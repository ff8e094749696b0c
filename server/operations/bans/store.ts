import { sql } from 'kysely'
import type { AppealDecision } from '#contract/operations/bans.ts'
import type { BanRow } from '../../accounts/auth/auth.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { rowOf, rowsOf } from '../../platform/database/rows.ts'

/** A ban with what the list shows of its user, its administrator and its newest appeal. */
export type ListedBan = Omit<BanRow, 'appeal_signature' | 'appeal_until' | 'banned_by' | 'lifted_by'> & {
  user_email: string
  user_name: string
  banned_by: string | null
  appeal_submitted_at: Date | null
  appeal_message: string | null
  appeal_answered_at: Date | null
  appeal_answer: string | null
  appeal_decision: AppealDecision | null
}

const WITH_NAMES = sql`
  SELECT b.id, b.user_id, b.reason, b.description, b.status, b.by_rules, b.banned_at, b.expires_at, b.ended_at, b.unban_reason,
    u.email AS user_email, u.name AS user_name, a.email AS banned_by, p.submitted_at AS appeal_submitted_at,
    p.message AS appeal_message, p.answered_at AS appeal_answered_at, p.answer AS appeal_answer, p.decision AS appeal_decision
  FROM b JOIN users u ON u.id = b.user_id LEFT JOIN users a ON a.id = b.banned_by
  LEFT JOIN LATERAL (
    SELECT * FROM appeals WHERE user_id = b.user_id AND ban_id = b.id ORDER BY id DESC LIMIT 1
  ) p ON true
  ORDER BY b.id DESC`

/** `appealed` are bans in force with an appeal that waits. */
export type BanFilter = BanRow['status'] | 'appealed'

/** Bans, the newest first. One whose time is over by `now` counts as expired, also before anybody has ended it. */
export async function listBans(
  db: Queryable,
  filter: BanFilter | undefined,
  { now, limit, offset }: { now: Date; limit: number; offset: number },
) {
  const isOver = sql`(expires_at IS NOT NULL AND expires_at <= ${now})`
  const conditions = {
    active: sql`status = 'active' AND NOT ${isOver}`,
    expired: sql`(status = 'expired' OR (status = 'active' AND ${isOver}))`,
    lifted: sql`status = 'lifted'`,
    appealed: sql`status = 'active' AND NOT ${isOver} AND id IN (SELECT ban_id FROM appeals WHERE answered_at IS NULL)`,
  }
  return rowsOf<ListedBan>(db)`
    WITH b AS (
      SELECT * FROM bans WHERE ${filter === undefined ? sql`true` : conditions[filter]}
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
    ) ${WITH_NAMES}`
}

export async function findListedBan(db: Queryable, banId: number) {
  return rowOf<ListedBan>(db)`WITH b AS (SELECT * FROM bans WHERE id = ${banId}) ${WITH_NAMES}`
}

export type FoundUser = {
  id: number
  email: string
  name: string
  is_admin: boolean
  ban_id: number | null
  reason: BanRow['reason'] | null
  banned_at: Date | null
  expires_at: Date | null
}

/** Live accounts with this id, or whose address, user name or name begins so; letter case does not count. */
export async function usersNamed(db: Queryable, search: string, now: Date, limit: number) {
  const key = search.toLowerCase()
  const userId = /^\d{1,15}$/.test(search) ? Number(search) : null
  return rowsOf<FoundUser>(db)`
    SELECT u.id, u.email, u.name, u.is_admin, b.id AS ban_id, b.reason, b.banned_at, b.expires_at
    FROM users u LEFT JOIN bans b ON b.user_id = u.id AND b.status = 'active'
      AND (b.expires_at IS NULL OR b.expires_at > ${now})
    WHERE NOT u.is_system AND u.deleted_at IS NULL AND (u.id = ${userId}
      OR starts_with(u.email_key, ${key}) OR starts_with(u.username_key, ${key}) OR starts_with(lower(u.name), ${key}))
    ORDER BY u.id IS NOT DISTINCT FROM ${userId} DESC, u.email_key = ${key} DESC, u.email_key LIMIT ${limit}`
}
