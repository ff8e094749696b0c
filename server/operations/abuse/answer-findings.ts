import { RISK_ACTS } from '#contract/operations/abuse.ts'
import { BAN_DESCRIPTION_MAX } from '#contract/operations/bans.ts'
import { banUser } from '../bans/bans.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/errors.ts'
import { notifyAdministrators } from '../../accounts/notifications/notifications.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import {
  type Answers,
  answersTo,
  heaviestPatterns,
  markBanned,
  type PatternRow,
  riskOf,
  setAnswers,
  type Suspect,
  suspectsAmong,
  usersDue,
} from './patterns-store.ts'
import { BAN_DAYS, REASONS, WARN_EVERY_DAYS } from './rules.ts'

const USERS_AT_ONCE = 100
const DAY_MS = 86_400_000
/** Administrators hear of the same user at high risk at most so often. */
const TELL_EVERY_DAYS = 7

/** Decides about every user with whom something was found: a warning, word to the administrators, a ban, or nothing yet. */
export async function answerFindings(context: Context): Promise<void> {
  for (let found = USERS_AT_ONCE; found === USERS_AT_ONCE && !context.stopping.aborted;) {
    const users = await usersDue(context.db, USERS_AT_ONCE)
    found = users.length
    const suspects = new Map((await suspectsAmong(context.db, users)).map((each) => [each.id, each]))
    for (const userId of users) {
      const suspect = suspects.get(userId)
      // Banned or deleted meanwhile.
      if (suspect === undefined) await setAnswers(context.db, userId, { is_due: false })
      else await answer(context, suspect)
    }
  }
}

async function answer(context: Context, suspect: Suspect): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  const risk = await riskOf(db, suspect.id, now)
  const patterns = await heaviestPatterns(db, suspect.id, now)
  const done = await answersTo(db, suspect.id)
  const found: Found = { suspect, risk, patterns, now }
  const warnedAt = warningOf(suspect, done, now)
  const mayBan = risk >= RISK_ACTS.ban && !suspect.is_admin && wentOn(patterns, warnedAt)
  if (mayBan && (await ban(context, found, done))) return
  const isFirstWord = isLongAgo(done?.told_at, TELL_EVERY_DAYS, now) && risk >= RISK_ACTS.high
  const isFirstWarning = warnedAt === null && risk >= RISK_ACTS.warn
  await inTransaction(db, async (tx) => {
    if (isFirstWarning) await queueSystemMail(context, tx, { to: suspect.email, ...warning(context, found) })
    if (isFirstWord) await notifyAdministrators(context, tx, highRisk(found))
    else if (isFirstWarning) await notifyAdministrators(context, tx, warned(found))
    await setAnswers(tx, suspect.id, {
      is_due: false,
      ...(isFirstWord && { told_at: now }),
      ...(isFirstWarning && { warned_at: now }),
    })
  })
}

/** When the user was warned, if that still holds: not for longer than another is due, nor over the end of a ban. */
function warningOf({ pardonedAt }: Suspect, done: Answers | undefined, now: Date): Date | null {
  const warnedAt = done?.warned_at ?? null
  const isOver = isLongAgo(warnedAt, WARN_EVERY_DAYS, now)
  return isOver || warnedAt === null || (pardonedAt !== null && warnedAt <= pardonedAt) ? null : warnedAt
}

/** Whether the worst that is known was found again a day after the warning: no figure bans anybody who was not told of it. */
function wentOn([worst]: readonly PatternRow[], warnedAt: Date | null): boolean {
  if (worst === undefined || warnedAt === null) return false
  return worst.last_detected.getTime() - warnedAt.getTime() >= DAY_MS
}

function isLongAgo(at: Date | null | undefined, days: number, now: Date): boolean {
  return at === null || at === undefined || now.getTime() - at.getTime() >= days * DAY_MS
}

type Found = { suspect: Suspect; risk: number; patterns: PatternRow[]; now: Date }

/** False if this user cannot be banned. True too if an administrator was quicker: nothing is told then. */
async function ban(context: Context, found: Found, done: Answers | undefined): Promise<boolean> {
  const { suspect, patterns } = found
  const [worst] = patterns
  if (worst === undefined) return false
  // A ban that an administrator lifted does not make the next one longer.
  const days = BAN_DAYS[Math.min(done?.standingBans ?? 0, BAN_DAYS.length - 1)] ?? null
  const description = `Howl’s rules against abuse found this: ${sentences(patterns)}`
  try {
    const { isNew } = await banUser(
      context,
      {
        userId: suspect.id,
        reason: REASONS[worst.pattern_type],
        description: description.slice(0, BAN_DESCRIPTION_MAX),
        days,
        by: null,
      },
      // In the same transaction: killed here, all of it is written or nothing.
      (tx) => noteBan(context, tx, found, { days, bans: (done?.bans ?? 0) + 1 }),
    )
    if (!isNew) await setAnswers(context.db, suspect.id, { is_due: false })
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.log.warn({ err: error, user: suspect.id }, 'a user could not be banned by the rules')
    return false
  }
}

async function noteBan(
  context: Context,
  tx: Tx,
  { suspect, risk, patterns }: Found,
  { days, bans }: { days: number | null; bans: number },
): Promise<void> {
  for (const { pattern_type: type } of patterns) await markBanned(tx, suspect.id, type)
  await setAnswers(tx, suspect.id, { is_due: false, bans })
  await notifyAdministrators(context, tx, {
    topic: `ban ${suspect.id}`,
    userId: suspect.id,
    title: days === null ? 'A user was banned for good' : `A user was banned for ${days} days`,
    message: `By the rules, at a risk of ${risk}. ${sentences(patterns)} User Bans shows the ban; it can be lifted there.`,
    priority: 5,
  })
}

const sentences = (patterns: readonly PatternRow[]) =>
  patterns.map(({ description }) => description).join(' ')

function highRisk({ suspect, risk, patterns }: Found) {
  const what = suspect.is_admin
    ? 'This is an administrator, whom the rules never ban.'
    : `At ${RISK_ACTS.ban} Howl bans this user if it is still going on a day after the warning.`
  return {
    topic: `risk ${suspect.id}`,
    userId: suspect.id,
    title: suspect.is_admin ? 'An administrator’s account is at high risk' : 'A user is at high risk',
    message: `The risk is ${risk}. ${sentences(patterns)} ${what}`,
    priority: suspect.is_admin ? 5 : 4,
  }
}

function warned({ suspect, risk, patterns }: Found) {
  return {
    topic: `risk ${suspect.id}`,
    userId: suspect.id,
    title: 'A user was warned',
    message: `The risk is ${risk}. ${sentences(patterns)}`,
    priority: 3,
  }
}

/** What a user reads before anything is taken away. */
function warning({ config }: Context, { patterns }: Found) {
  return writeSystemMail('Please look at how your Howl account is used', [
    'Howl saw something with your account that looks like abuse:',
    ...patterns.map(({ description }) => description),
    'Nothing has been taken away. If this is still going on a day from now, the account will be banned: nobody can sign in and no email is sent.',
    'It was not you? Change your password, and end the sessions that you do not know in your profile.',
    { link: `${config.publicUrl}/profile`, label: 'Open your profile' },
  ])
}
