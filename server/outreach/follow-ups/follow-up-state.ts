import { FALLBACK_ZONE, isTimeZone } from '#contract/platform/values.ts'
import { findUser, isMailPaused, type UserRow } from '../../accounts/auth/auth.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { followUpSettings, type Mailbox, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import type { Terms } from './store.ts'

/** What a user's follow-ups go by, as it is now. */
export type FollowUpState = {
  user: UserRow
  zone: string
  isOn: boolean
  isPaused: boolean
  hour: number
  maxDays: number
  mailbox: Mailbox | undefined
}

/** Undefined for a user who is gone. */
export async function followUpState(db: Queryable, userId: number): Promise<FollowUpState | undefined> {
  const user = await findUser(db, userId)
  if (user === undefined) return undefined
  const settings = await followUpSettings(db, userId)
  const mailbox = await primaryMailbox(db, userId)
  return {
    user,
    zone: user.time_zone !== null && isTimeZone(user.time_zone) ? user.time_zone : FALLBACK_ZONE,
    // Practice has a switch of its own, so that it never writes to real people.
    isOn: mailbox?.is_practice === true ? settings.enabled_in_practice : settings.enabled,
    isPaused: isMailPaused(user),
    hour: settings.daily_hour,
    maxDays: settings.max_days,
    mailbox,
  }
}

/** How contacts are judged on a day. */
export function termsOn({ user, zone, maxDays, mailbox }: FollowUpState, day: string): Terms {
  return { userId: user.id, zone, day, maxDays, inPractice: mailbox?.is_practice === true }
}
