import type { Ban, bans, NamedUser } from '#contract/operations/bans.ts'
import type { Given, GivenReply, QueryOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { findListedBan, type FoundUser, listBans, type ListedBan, usersNamed } from './store.ts'

/** Accounts that a search shows. */
const FOUND_MAX = 5

/** One page of bans, the newest first. */
export async function pageOfBans(
  { db, clock }: Context,
  { page, limit, status }: QueryOf<typeof bans.list>,
): Promise<GivenReply<typeof bans.list>> {
  const now = clock.now()
  const rows = await listBans(db, status, { now, limit: limit + 1, offset: (page - 1) * limit })
  return { bans: rows.slice(0, limit).map((row) => present(row, now)), has_more: rows.length > limit }
}

/** The ban with this id as the list shows it. @throws Refusal 404 */
export async function readBan({ db, clock }: Context, banId: number): Promise<Given<Ban>> {
  const row = await findListedBan(db, banId)
  if (row === undefined) throw notFound('There is no such ban.')
  return present(row, clock.now())
}

/** Who may be meant, each with the ban in force, and whether there are others. Nothing is found by nothing. */
export async function findUsers(
  { db, clock }: Context,
  search: string,
): Promise<GivenReply<typeof bans.findUsers>> {
  if (search === '') return { users: [], has_more: false }
  const found = await usersNamed(db, search, clock.now(), FOUND_MAX + 1)
  return { users: found.slice(0, FOUND_MAX).map(named), has_more: found.length > FOUND_MAX }
}

function named({ name, ban_id: id, reason, banned_at, expires_at, ...user }: FoundUser): Given<NamedUser> {
  const isBanned = id !== null && reason !== null && banned_at !== null
  return { ...user, full_name: name, ban: isBanned ? { id, reason, banned_at, expires_at } : null }
}

function present(row: ListedBan, now: Date): Given<Ban> {
  // Over, although no loop has come by yet.
  const isOver = row.status === 'active' && row.expires_at !== null && row.expires_at <= now
  const end = isOver ? { status: 'expired' as const, ended_at: row.expires_at } : {}
  return { ...row, is_automatic: row.by_rules, ...end }
}
