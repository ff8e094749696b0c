import { noteActivity } from '../activities/activities.ts'
import {
  addUser,
  changeUser,
  endOtherSessions,
  findDeleted,
  findUserByEmail,
  setAdministrator,
  setPassword,
} from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database/transaction.ts'
import { hashPassword, verifyPassword } from '../../platform/security/passwords.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { firstAccessCodes } from './access-codes.ts'
import { newClaimLink } from './claim.ts'
import { newAccount } from './make-administrator.ts'

/** What the operator is told once, at the start. */
export type Welcome = {
  /** Null where there is an administrator. */
  claimLink: string | null
  /** Null where the settings name codes, or some were made before. */
  accessCodes: string[] | null
}

/** Makes or updates the administrator of the settings, else a link to become one; and access codes. */
export async function prepareAdministrators(context: Context): Promise<Welcome> {
  const { administrator } = context.config
  if (administrator !== null) await settleAdministrator(context, administrator)
  return { claimLink: await newClaimLink(context), accessCodes: await firstAccessCodes(context) }
}

const BY_SETTINGS = { origin: null, detail: 'by the settings' } as const

async function settleAdministrator(context: Context, given: { email: string; password: string }) {
  const { db, clock, log } = context
  const user = await findUserByEmail(db, given.email)
  if (user === undefined) {
    if ((await findDeleted(db, given.email)) === undefined) return addAdministrator(context, given)
    log.warn(
      'The account of ADMIN_EMAIL is deleted. Restore it: npm run account -- restore, and start again.',
    )
    return
  }
  const made = await inTransaction(db, async (tx) => {
    const administrator = await setAdministrator(tx, user.id, true)
    if (administrator !== undefined)
      await noteActivity(context, tx, { type: 'administrator_made', user: user.id, ...BY_SETTINGS })
    return administrator
  })
  if (made !== undefined) logSecurity(log, { event: 'administrator_made' }, user.id, null)
  if (await verifyPassword(given.password, user.password_hash)) return
  const hash = await hashPassword(given.password, context.config.passwordCost)
  await inTransaction(db, async (tx) => {
    await setPassword(tx, user.id, hash)
    await endOtherSessions(tx, user.id, null, clock.now())
    await noteActivity(context, tx, { type: 'password_changed', user: user.id, ...BY_SETTINGS })
    await context.live.publish(tx, user.id, { topic: 'session' })
  })
  logSecurity(log, { event: 'password_changed' }, user.id, null)
}

async function addAdministrator(context: Context, given: { email: string; password: string }): Promise<void> {
  const password_hash = await hashPassword(given.password, context.config.passwordCost)
  try {
    const user = await inTransaction(context.db, async (tx) => {
      const account = newAccount(context, { name: 'Administrator', email: given.email })
      const added = await addUser(tx, { ...account, password_hash })
      // The operator has written the address into the settings: it needs no mail to be confirmed.
      const now = context.clock.now()
      await changeUser(tx, added.id, { email_confirmed_at: now, email_proved_at: now })
      await noteActivity(context, tx, { type: 'administrator_made', user: added.id, ...BY_SETTINGS })
      return setAdministrator(tx, added.id, true)
    })
    logSecurity(context.log, { event: 'administrator_made' }, user?.id ?? null, null)
  } catch (error) {
    // Another process that starts now was faster.
    if (!isUniqueViolation(error)) throw error
  }
}
