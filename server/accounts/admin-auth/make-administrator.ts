import { noteActivity } from '../activities/activities.ts'
import {
  endAdminSessions,
  findUserByEmail,
  type NewUser,
  setAdministrator,
  type UserRow,
} from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction, isLastAdministrator } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { liveEvents } from '../../platform/http/events.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { randomBytes } from 'node:crypto'

/** What these commands need; a command of the operator has no more. */
type OperatorContext = Pick<Context, 'db' | 'clock' | 'log' | 'secrets'>

const BY_COMMAND = { origin: null, detail: 'by a command of the operator' } as const

const LAST_ADMINISTRATOR =
  'This is the only administrator of this Howl. Make somebody else an administrator first.'

/** Makes the account with this address an administrator: a command of the operator. Returns the address. */
export async function makeAdministrator(context: OperatorContext, email: string): Promise<string> {
  const user = await accountOf(context.db, email)
  await inTransaction(context.db, async (tx) => {
    if ((await setAdministrator(tx, user.id, true)) === undefined)
      throw conflict(`${user.email} is an administrator already.`)
    await noteActivity(context, tx, { type: 'administrator_made', user: user.id, ...BY_COMMAND })
  })
  logSecurity(context.log, { event: 'administrator_made' }, user.id, null)
  return user.email
}

/**
 * Ends that the account is an administrator: a command of the operator. The next call of theirs is refused.
 *
 * @throws Refusal 404 without such an account, 409 when it is none, or is the last one
 */
export async function unmakeAdministrator(context: OperatorContext, email: string): Promise<string> {
  const user = await accountOf(context.db, email)
  await inTransaction(context.db, async (tx) => {
    if ((await setAdministrator(tx, user.id, false)) === undefined)
      throw conflict(`${user.email} is no administrator.`)
    await endAdminSessions(tx, user.id, context.clock.now())
    await noteActivity(context, tx, { type: 'administrator_unmade', user: user.id, ...BY_COMMAND })
    await liveEvents.publish(tx, user.id, { topic: 'session' })
  }).catch(refuseLast)
  logSecurity(context.log, { event: 'administrator_unmade' }, user.id, null)
  return user.email
}

async function accountOf(db: Queryable, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw notFound(`There is no account with the address ${email}.`)
  return user
}

/** Says it in words where the last administrator would have gone. */
export function refuseLast(error: unknown): never {
  throw isLastAdministrator(error) ? conflict(LAST_ADMINISTRATOR) : error
}

/** An account for an administrator, without what a sign-up asks for besides. The user name is free: it has a random end. */
export function newAccount(
  { clock }: Pick<Context, 'clock'>,
  { name, email }: { name: string; email: string },
): Omit<NewUser, 'password_hash'> {
  const username = `admin-${randomBytes(4).toString('hex')}`
  return {
    email,
    email_key: email.toLowerCase(),
    username,
    username_key: username,
    name,
    business_name: '',
    company_name: '',
    team_size: '',
    revenue_size: '',
    heard_about_us: '',
    social_link: '',
    calendly_link: '',
    job_title: '',
    phone: '',
    referred_by_code: '',
    created_at: clock.now(),
  }
}
