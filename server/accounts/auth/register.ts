import type * as z from 'zod/mini'
import type { registration } from '#contract/accounts/new-accounts.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/security/passwords.ts'
import { refusePassword } from '../../platform/security/refuse-password.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { mailConfirmation } from './confirm-email.ts'
import { openSession } from './sessions.ts'
import { findDeleted } from './deleted-accounts-store.ts'
import { restorableUntil, writtenDay } from './restorable-until.ts'
import { addUser, findTaken, type NewUser, type UserRow } from './store.ts'

/**
 * Opens an account and its first session, and mails a link that confirms the address.
 *
 * @throws Refusal 400 when the address or the user name is taken, or the password is easy to guess
 */
export async function register(
  context: Context,
  input: z.output<typeof registration>,
  origin: Origin,
): Promise<{ user: UserRow; token: string }> {
  const companies = [input.company_name ?? '', input.businessName ?? '']
  const why = await refusePassword(input.password, { ...input, companies })
  if (why !== null) throw invalidInput(why, { password: why })
  const password_hash = await hashPassword(input.password, context.config.passwordCost)
  try {
    const user = await addUnconfirmed(context, origin, {
      email: input.email,
      email_key: input.email.toLowerCase(),
      username: input.username,
      username_key: input.username.toLowerCase(),
      password_hash,
      name: input.name,
      business_name: input.businessName ?? '',
      company_name: input.company_name ?? '',
      team_size: input.team_size ?? '',
      revenue_size: input.revenue_size ?? '',
      heard_about_us: input.heard_about_us ?? '',
      social_link: input.social_link ?? '',
      calendly_link: input.calendly_link ?? '',
      job_title: input.job_title ?? '',
      phone: input.phone ?? '',
      referred_by_code: input.referral_code ?? '',
      created_at: context.clock.now(),
    })
    logSecurity(context.log, { event: 'account_opened' }, user.id, origin)
    return { user, token: await openSession(context, user, origin) }
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key_key'))
      throw taken('email', await whyAddressIsTaken(context, input.email))
    if (isUniqueViolation(error, 'users_username_key_key')) throw taken('username', USERNAME_TAKEN)
    throw error
  }
}

/** The account and the mail with the link that confirms its address. */
async function addUnconfirmed(context: Context, origin: Origin, user: NewUser): Promise<UserRow> {
  return inTransaction(context.db, async (tx) => {
    const added = await addUser(tx, user)
    await mailConfirmation(context, tx, added)
    await noteActivity(context, tx, { type: 'account_opened', user: added.id, origin })
    return added
  })
}

export const USERNAME_TAKEN = 'This username is taken. Please choose another.'

/**
 * Why no account can be opened with this address or user name; null where one can. It says who has an account, as the
 * sign-up itself does, so callers may ask a few times only.
 */
export async function whyNotAvailable(
  context: Context,
  { email, username }: { email?: string | undefined; username?: string | undefined },
): Promise<string | null> {
  const { byEmail, byUsername } = await findTaken(context.db, email ?? '', username ?? '')
  if (byEmail) return whyAddressIsTaken(context, email ?? '')
  return byUsername ? USERNAME_TAKEN : null
}

/** What to do about an address that has an account, or had one until a while ago. */
export async function whyAddressIsTaken(context: Context, email: string): Promise<string> {
  const deletedAt = (await findDeleted(context.db, email))?.deleted_at ?? null
  if (deletedAt === null) return 'Email already exists. Please use a different email.'
  const until = restorableUntil(deletedAt)
  if (until <= context.clock.now())
    return 'The account of this email is being removed. Please try again in an hour.'
  return `An account with this email was deleted. Whoever runs this Howl can restore it until ${writtenDay(until)}. After that day you can sign up with it again.`
}

function taken(field: string, why: string): Error {
  return invalidInput(why, { [field]: why })
}
