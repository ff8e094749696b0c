import type { BodyOf } from '#contract/endpoint.ts'
import type { profile } from '#contract/profile.ts'
import { COUNTRIES } from '#contract/values.ts'
import { changeUser, type UserChanges, type UserRow } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import { isUniqueViolation } from '../database/transaction.ts'
import { invalidInput, unauthenticated } from '../errors.ts'

/**
 * Changes the given profile fields. A country sets its time zone and currency too.
 *
 * @throws Refusal 400 when the user name is taken
 */
export async function updateProfile(
  context: Context,
  userId: number,
  input: BodyOf<typeof profile.update>,
): Promise<UserRow> {
  try {
    const user = await changeUser(context.db, userId, changesOf(input))
    if (user === undefined) throw unauthenticated()
    return user
  } catch (error) {
    if (!isUniqueViolation(error, 'users_username_key_key')) throw error
    const why = 'This username is taken. Please choose another.'
    throw invalidInput(why, { username: why })
  }
}

function changesOf({ full_name, username, country, ...rest }: BodyOf<typeof profile.update>): UserChanges {
  const place = COUNTRIES.find((each) => each.code === country)
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as UserChanges
  return {
    ...(place === undefined ? {} : { country: place.code, time_zone: place.zone, currency: place.currency }),
    ...given,
    ...(full_name === undefined ? {} : { name: full_name }),
    ...(username === undefined ? {} : { username, username_key: username.toLowerCase() }),
  }
}
