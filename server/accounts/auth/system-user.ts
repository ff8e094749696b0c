import { hashPassword, type PasswordCost } from '../../platform/security/passwords.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import type { UserRow } from './store.ts'

/** The account that system mail is sent from; undefined before the first such mail. */
export async function findSystemUser(db: Queryable): Promise<Pick<UserRow, 'id'> | undefined> {
  return db.selectFrom('users').select('id').where('is_system', '=', true).executeTakeFirst()
}

/** Opens the account that system mail is sent from. Another process may be faster: then its account is returned. */
export async function addSystemUser(
  db: Queryable,
  account: { login: string; name: string; password: string; cost: PasswordCost; now: Date },
): Promise<Pick<UserRow, 'id'>> {
  const { login, name, password, cost, now } = account
  try {
    return await db
      .insertInto('users')
      .values({
        email: login,
        email_key: login,
        username: login,
        username_key: login,
        password_hash: await hashPassword(password, cost),
        name,
        is_system: true,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  } catch (error) {
    const other = isUniqueViolation(error) ? await findSystemUser(db) : undefined
    if (other === undefined) throw error
    return other
  }
}
