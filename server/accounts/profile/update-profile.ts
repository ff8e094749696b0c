import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { profile } from '#contract/accounts/profile.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'
import { changeUser, findUser, USERNAME_TAKEN, type UserChanges, type UserRow } from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { invalidInput, unauthenticated } from '../../platform/errors.ts'
import { renderProfileImage } from './render-profile-image.ts'

/**
 * Changes the given profile fields. A country sets its time zone and currency too. An image is scaled and encoded
 * anew, as an uploaded one is.
 *
 * @throws Refusal 400 when the user name is taken, or the image is none; 429 while many images wait; the signal's
 *   reason
 */
export async function updateProfile(
  context: Context,
  userId: number,
  input: BodyOf<typeof profile.update>,
  signal: AbortSignal,
): Promise<UserRow> {
  const image = await imageOf(context, userId, input.profile_image_url, signal)
  try {
    const user = await changeUser(context.db, userId, { ...changesOf(input), ...image })
    if (user === undefined) throw unauthenticated()
    await context.live.publish(context.db, userId, { topic: 'account' })
    return user
  } catch (error) {
    if (!isUniqueViolation(error, 'users_username_key_key')) throw error
    throw invalidInput(USERNAME_TAKEN, { username: USERNAME_TAKEN })
  }
}

/** The image to store; a client that sends back the image it was given changes nothing. */
async function imageOf(
  { db }: Context,
  userId: number,
  given: string | null | undefined,
  signal: AbortSignal,
): Promise<Pick<UserChanges, 'profile_image_url'>> {
  if (given === undefined) return {}
  if (given === null || given === '') return { profile_image_url: null }
  const before = await findUser(db, userId)
  if (given === before?.profile_image_url) return {}
  const bytes = Buffer.from(given.slice(given.indexOf(',') + 1), 'base64')
  return { profile_image_url: await renderProfileImage(userId, bytes, signal) }
}

function changesOf({
  full_name,
  username,
  country,
  profile_image_url: _,
  ...rest
}: BodyOf<typeof profile.update>): UserChanges {
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
