import type { Ban, bans, NamedUser } from '#contract/operations/bans.ts'
import type { QueryOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { findListedBan, type FoundUser, listBans, type ListedBan, usersNamed } from './store.ts'

/** Accounts that a search shows. */
const FOUND_MAX = 5

/** One page of bans, the newest first. */
export async function pageOfBans(
  { db, clock }: Context,
  { page, limit, status }: QueryOf<typeof bans.list>,
): Promise<{ bans: Ban[]; has_more: boolean }> {
  const now = clock.now()
  const rows = await listBans(db, status, { now, limit: limit + 1, offset: (page - 1) * limit })
  return { bans: rows.slice(0, limit).map((row) => present(row, now)), has_more: rows.length > limit }
}

/** The ban with this id as the list shows it. @throws Refusal 404 */
export async function readBan({ db, clock }: Context, banId: number): Promise<Ban> {
  const row = await findListedBan(db, banId)
  if (row === undefined) throw notFound('There is no such ban.')
  return present(row, clock.now())
}

/** Who may be meant, each with the ban in force, and whether there are others. Nothing is found by nothing. */
export async function findUsers(
  { db, clock }: Context,
  search: string,
): Promise<{ users: NamedUser[]; has_more: boolean }> {
  if (search === '') return { users: [], has_more: false }
  const found = await usersNamed(db, search, clock.now(), FOUND_MAX + 1)
  return { users: found.slice(0, FOUND_MAX).map(named), has_more: found.length > FOUND_MAX }
}

function named({
  name,
  ban_id: banId,
  reason,
  banned_at: at,
  expires_at: until,
  ...user
}: FoundUser): NamedUser {
  return {
    id: user.id,
    email: user.email,
    full_name: name,
    is_admin: user.is_admin,
    ban:
      banId === null || reason === null || at === null
        ? null
        : { id: banId, reason, banned_at: at.toISOString(), expires_at: until?.toISOString() ?? null },
  }
}

function present(row: ListedBan, now: Date): Ban {
  // Over, although no loop has come by yet.
  const isOver = row.status === 'active' && row.expires_at !== null && row.expires_at <= now
  const endedAt = isOver ? row.expires_at : row.ended_at
  return {
    id: row.id,
    user_id: row.user_id,
    user_email: row.user_email,
    user_name: row.user_name,
    reason: row.reason,
    description: row.description,
    status: isOver ? 'expired' : row.status,
    banned_by: row.banned_by,
    is_automatic: row.by_rules,
    banned_at: row.banned_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    unban_reason: row.unban_reason,
    appeal_submitted_at: row.appeal_submitted_at?.toISOString() ?? null,
    appeal_message: row.appeal_message,
    appeal_answered_at: row.appeal_answered_at?.toISOString() ?? null,
    appeal_answer: row.appeal_answer,
    appeal_decision: row.appeal_decision,
  }
}
