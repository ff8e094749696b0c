import type { ReplyOf } from '#contract/endpoint.ts'
import type { sequences } from '#contract/sequences.ts'
import { ANY_TIME, standingOf, warmUpCeiling } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../context.ts'
import { accountOf } from './account-of.ts'
import { countMailsSince } from './due-store.ts'
import { forecast } from './forecast.ts'
import { hoursOf } from './hours-of.ts'
import { mailsASlot, slotOf } from './pace.ts'
import { getSequence } from './save-sequence.ts'

/** After so many days with mails no account is new any more. */
const WARM_UP_DAYS_MAX = 30

/** How many mails would leave on which day if so many contacts began now and nobody replied. @throws Refusal 404 */
export async function forecastSequence(
  context: Context,
  user: { id: number; timeZone: string },
  id: number,
  members: number,
): Promise<ReplyOf<typeof sequences.forecast>> {
  const { db } = context
  const now = context.clock.now()
  const row = await getSequence(context, user.id, id)
  const mailbox = await accountOf(db, row)
  const standing =
    mailbox === undefined
      ? undefined
      : await standingOf(context, db, { userId: user.id, mailboxId: mailbox.id })
  const inSlot = mailbox === undefined ? 0 : await countMailsSince(db, user.id, mailbox.id, slotOf(now))
  const found = await forecast({
    steps: row.steps,
    members,
    now,
    zone: standing?.zone ?? user.timeZone,
    rules: [hoursOf(row), standing?.rules ?? ANY_TIME],
    aSlot: mailsASlot(mailbox?.hourly_limit ?? null),
    inSlot,
    ceiling: ceilingFrom(standing?.ceiling ?? null),
    sentToday: standing?.sentToday ?? 0,
  })
  return {
    days: found.days,
    mails: found.mails,
    first_at: found.firstAt?.toISOString() ?? null,
    last_at: found.lastAt?.toISOString() ?? null,
    limited_by: found.limitedBy,
    complete: found.complete,
  }
}

/** The ceilings of the days to come of an account whose ceiling today is this. */
function ceilingFrom(today: number | null): (daysSent: number) => number | null {
  if (today === null) return () => null
  let begun = 0
  while (begun < WARM_UP_DAYS_MAX && warmUpCeiling(begun) !== today) begun += 1
  return (daysSent) => warmUpCeiling(begun + daysSent)
}
