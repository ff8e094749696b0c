import { randomBytes } from 'node:crypto'
import { APPEALS_MAX, BAN_REASON_LABELS } from '#contract/operations/bans.ts'
import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { Refusal, unauthenticated } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import {
  type AppealRow,
  appealsOf,
  type BanRow,
  expireBan,
  findBan,
  lockUser,
  setAppealToken,
} from './bans-store.ts'
import type { UserRow } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'

/** So long an appeal can be written. */
const APPEAL_MINUTES = 60

/**
 * Refuses somebody who has proved who they are and whose ban is in force, with a token for an appeal. A ban whose time is over
 * ends here; nobody waits for the loop. `passwordWasRight` is called before the refusal: that was no guess.
 *
 * @throws Refusal 403 BANNED
 */
export async function refuseBanned(
  context: Context,
  user: UserRow,
  passwordWasRight: () => Promise<void>,
  origin: Origin,
): Promise<void> {
  if (user.is_active) return
  const now = context.clock.now()
  const token = randomBytes(32).toString('base64url')
  const found = await inTransaction(context.db, async (tx) => {
    const locked = await lockUser(tx, user.id)
    if (locked?.is_active === true || (await endBanIfOver(context, tx, user.id))) return null
    const ban = await findBan(tx, user.id)
    if (ban === undefined) throw unauthenticated()
    const appeals = await appealsOf(tx, ban)
    const newest = appeals.at(-1)
    const mayAppeal = appeals.length < APPEALS_MAX && newest?.answered_at !== null
    if (mayAppeal)
      await setAppealToken(tx, ban, {
        signature: appealSignature(context, token),
        until: new Date(now.getTime() + APPEAL_MINUTES * 60_000),
      })
    await noteActivity(context, tx, { type: 'ban_shown', user: user.id, origin })
    return { ban, newest, mayAppeal }
  })
  if (found === null) return
  await passwordWasRight()
  logSecurity(context.log, { event: 'ban_shown' }, user.id, origin)
  const { ban, newest, mayAppeal } = found
  throw new Refusal(403, sentence(ban, user.time_zone ?? origin.timeZone), 'BANNED', undefined, {
    ban: present(ban, newest),
    ...(mayAppeal ? { appeal_token: token } : {}),
  })
}

/** What of an appeal token is kept. */
export function appealSignature({ secrets }: Pick<Context, 'secrets'>, token: string): string {
  return secrets.sign(token, 'appeal tokens')
}

function sentence(ban: BanRow, timeZone: string | null): string {
  return `This account is banned ${banEnd(ban, timeZone)}. The reason: ${banReason(ban)}`
}

function present(ban: BanRow, appeal: AppealRow | undefined) {
  return {
    reason: ban.reason,
    description: ban.description,
    expires_at: ban.expires_at?.toISOString() ?? null,
    appeal_submitted_at: appeal?.submitted_at.toISOString() ?? null,
    appeal_answer: appeal?.answer ?? null,
  }
}

/** Ends the ban of a locked user whose time is over. False without one. */
export async function endBanIfOver(context: Context, tx: Tx, userId: number): Promise<boolean> {
  if ((await expireBan(tx, userId, context.clock.now())) === undefined) return false
  await noteActivity(context, tx, { type: 'ban_expired', user: userId, origin: null })
  return true
}

/** Until when a ban lasts, in words: "until 3 December 2026 at 14:05 (Europe/Berlin)", or "for good". */
export function banEnd({ expires_at: end }: Pick<BanRow, 'expires_at'>, timeZone: string | null): string {
  if (end === null) return 'for good'
  const zone = timeZone ?? FALLBACK_ZONE
  const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return `until ${written.format(end)} (${zone})`
}

/** Why somebody is banned, in words. */
export function banReason({ reason, description }: Pick<BanRow, 'reason' | 'description'>): string {
  return `${BAN_REASON_LABELS[reason]}. ${description}`
}
