import type { admin, AdminUser } from '#contract/operations/admin.ts'
import type { Given, GivenReply, QueryOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { creditsOf } from '../../accounts/credits/credits.ts'
import { notFound } from '../../platform/errors.ts'
import { findListedUser, type ListedUser, pageOfUsers } from './store.ts'

/** One page of accounts with what each may spend. */
export async function listUsers(
  { db }: Context,
  query: NonNullable<QueryOf<typeof admin.users>>,
): Promise<GivenReply<typeof admin.users>> {
  const { page, limit, include_deleted: deleted, status = null, search = '' } = query
  const filter = { includeDeleted: deleted === 'true', status, search }
  const { users, total } = await pageOfUsers(db, filter, { limit, offset: (page - 1) * limit })
  const credits = await creditsOf(
    db,
    users.map(({ id }) => id),
  )
  return {
    users: users.map((user) => present(user, credits.get(user.id) ?? 0)),
    total,
    total_pages: Math.max(1, Math.ceil(total / limit)),
  }
}

/** The account with this id as the list shows it. @throws Refusal 404 */
export async function readUser({ db }: Context, userId: number): Promise<Given<AdminUser>> {
  const user = await findListedUser(db, userId)
  if (user === undefined) throw notFound('There is no such user.')
  return present(user, (await creditsOf(db, [userId])).get(userId) ?? 0)
}

const present = (user: ListedUser, credits: number): Given<AdminUser> => ({
  ...user,
  full_name: user.name,
  available_credits: credits,
})
