import type { PatternType } from '#contract/operations/abuse.ts'
import type { BanReason } from '#contract/operations/bans.ts'
import { RECIPIENT_DOMAINS_MIN } from '../../outreach/automatic-mail/automatic-mail.ts'
import {
  type AccountFacts,
  type CallFacts,
  type DoorFacts,
  type FriendFacts,
  type InvitationFacts,
  type MailDay,
  type MailFacts,
} from './facts.ts'

// What counts as abuse: every rule with its threshold and its weight stands in this file; docs/abuse.md explains them. What
// happens at which risk stands in RISK_ACTS of contract/operations/abuse.ts.

/** What a pattern counts for is half as much after so many days. */
export const HALF_LIFE_DAYS = 7
/** A user is warned at most so often. */
export const WARN_EVERY_DAYS = 30
/** How long bans by the rules last: the first, the second, and all later ones. Null is for good. */
export const BAN_DAYS: readonly (number | null)[] = [7, 30, null]

/** From `from` on: how severe it is, the points it adds to the risk, and the most that the rule adds in the long run. */
export type Level = { from: number; severity: 1 | 2 | 3 | 4 | 5; points: number; most: number }

export type Rule<Facts> = {
  type: PatternType
  /** Why somebody is banned because of it. */
  reason: BanReason
  /** How far back it looks. */
  windowDays: number
  /** What is compared with the levels: a number from what happened after `since`. 0: nothing. */
  measure: (facts: Facts, since: Date) => number
  levels: readonly Level[]
  /** What was seen, in a sentence that the user reads too. */
  seen: (facts: Facts, since: Date) => string
}

const DAY_MS = 86_400_000
const written = (count: number) => count.toLocaleString('en')
const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`

type MailSums = Omit<MailDay, 'day' | 'bounceDomains' | 'complaintDomains'>

/** Sums of the days after the one of `since`, or from its beginning if it is the window's. */
function sumOf(facts: MailFacts, since: Date): MailSums {
  const total = { sent: 0, strangers: 0, roleAddresses: 0, noAddress: 0, noDomain: 0 }
  const sum = { ...total, refusedAtOnce: 0, complaints: 0, replies: 0 }
  for (const day of daysAfter(facts, since)) {
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += day[key]
  }
  return sum
}

const daysAfter = ({ days }: MailFacts, since: Date) => days.filter(({ day }) => day > since)
const after = (since: Date) => (at: Date) => at > since

/** No rule about mail finds anything below this. Rates of few mails say nothing, and two complaints may be mishaps. */
export const MAILS_AT_LEAST = 100
const COMPLAINTS_AT_LEAST = 3
const COMPLAINTS_FORGIVEN = 2

/** Mails that were tried: those that left, and those that were refused at once. */
const tried = (sum: MailSums) => sum.sent + sum.refusedAtOnce
const bounced = (sum: MailSums) => sum.noAddress + sum.noDomain

const areFew = (facts: MailFacts, since: Date, which: 'bounceDomains' | 'complaintDomains') =>
  new Set(daysAfter(facts, since).flatMap((day) => day[which])).size < RECIPIENT_DOMAINS_MIN

function bouncesPercent(facts: MailFacts, since: Date): number {
  const sum = sumOf(facts, since)
  if (tried(sum) < MAILS_AT_LEAST || areFew(facts, since, 'bounceDomains')) return 0
  return (100 * bounced(sum)) / tried(sum)
}

const bounceRate: Rule<MailFacts> = {
  type: 'bounce_rate',
  reason: 'spam',
  windowDays: 7,
  // Percent of the mail came back.
  measure: bouncesPercent,
  levels: [
    { from: 8, severity: 2, points: 10, most: 20 },
    { from: 15, severity: 3, points: 20, most: 35 },
    { from: 30, severity: 4, points: 45, most: 100 },
    { from: 50, severity: 5, points: 80, most: 100 },
  ],
  seen: (facts, since) => {
    const sum = sumOf(facts, since)
    return `${written(bounced(sum))} of ${written(tried(sum))} mails (${percent(bounced(sum), tried(sum))}) came back because the addresses do not exist.`
  },
}

const complaintRate: Rule<MailFacts> = {
  type: 'complaint_rate',
  reason: 'spam',
  windowDays: 30,
  // Complaints per thousand mails. Large mail services want less than one, and refuse mail from three on.
  measure: (facts, since) => {
    const { sent, complaints } = sumOf(facts, since)
    if (sent < MAILS_AT_LEAST || complaints < COMPLAINTS_AT_LEAST) return 0
    if (areFew(facts, since, 'complaintDomains')) return 0
    return (1000 * (complaints - COMPLAINTS_FORGIVEN)) / sent
  },
  levels: [
    { from: 1, severity: 3, points: 20, most: 35 },
    { from: 3, severity: 4, points: 45, most: 100 },
    { from: 10, severity: 5, points: 80, most: 100 },
  ],
  seen: (facts, since) => {
    const { sent, complaints } = sumOf(facts, since)
    return `${written(complaints)} recipients of ${written(sent)} mails marked them as spam.`
  },
}

const NEW_ACCOUNT_DAYS = 7
const BURST = { timesBefore: 10, atLeast: 5000 }

const sendingBurst: Rule<MailFacts> = {
  type: 'sending_burst',
  reason: 'spam',
  windowDays: 2,
  // Mails of the busiest day, of a new account, or of an old one that never sent a tenth of it a day. A first large mailing
  // looks the same, so this alone never leads to more than a warning.
  measure: (facts, since) => {
    const most = Math.max(0, ...daysAfter(facts, since).map(({ sent }) => sent))
    const isNew = facts.now.getTime() - facts.openedAt.getTime() < NEW_ACCOUNT_DAYS * DAY_MS
    const before = facts.days.filter(({ day }) => day <= since).map(({ sent }) => sent)
    const isJump = most >= BURST.atLeast && most >= BURST.timesBefore * Math.max(0, ...before)
    return isNew || isJump ? most : 0
  },
  levels: [
    { from: 3000, severity: 3, points: 20, most: 20 },
    { from: 20_000, severity: 4, points: 40, most: 40 },
  ],
  seen: (facts, since) => {
    const most = Math.max(0, ...daysAfter(facts, since).map(({ sent }) => sent))
    return `${written(most)} mails left on one day, far more than is usual for this account.`
  },
}

/** Signs of a list that nobody gave their address to. Each alone is found with honest users too. */
const BOUGHT = {
  strangersAtLeast: 200,
  roleAddresses: 0.4,
  bounced: 0.1,
  noDomain: 0.02,
  /** Replies of those who were mailed at least two days ago. */
  replies: 0.005,
  repliesAfterDays: 2,
  repliesFrom: 100,
  imported: 500,
  newAccountDays: 14,
}

function signsOfBoughtList(facts: MailFacts, since: Date): string[] {
  const sum = sumOf(facts, since)
  if (sum.strangers < BOUGHT.strangersAtLeast) return []
  const waited = new Date(facts.now.getTime() - BOUGHT.repliesAfterDays * DAY_MS)
  const early = daysAfter(facts, since).filter(({ day }) => day < waited)
  const waiting = early.reduce((total, { strangers }) => total + strangers, 0)
  const isNew = facts.now.getTime() - facts.openedAt.getTime() < BOUGHT.newAccountDays * DAY_MS
  return [
    sum.roleAddresses >= BOUGHT.roleAddresses * sum.strangers
      ? `${percent(sum.roleAddresses, sum.strangers)} of the strangers are addresses of no person, as info@`
      : '',
    bounced(sum) >= BOUGHT.bounced * tried(sum) ? `${percent(bounced(sum), tried(sum))} bounced` : '',
    sum.noDomain >= BOUGHT.noDomain * tried(sum) ? `${written(sum.noDomain)} domains do not exist` : '',
    waiting >= BOUGHT.repliesFrom && sum.replies < BOUGHT.replies * waiting ? 'almost nobody replied' : '',
    isNew && facts.imported >= BOUGHT.imported
      ? `a new account imported ${written(facts.imported)} contacts`
      : '',
  ].filter((sign) => sign !== '')
}

const boughtList: Rule<MailFacts> = {
  type: 'bought_list',
  reason: 'spam',
  windowDays: 7,
  measure: (facts, since) => signsOfBoughtList(facts, since).length,
  levels: [
    { from: 3, severity: 3, points: 25, most: 40 },
    { from: 4, severity: 4, points: 50, most: 100 },
    { from: 5, severity: 5, points: 80, most: 100 },
  ],
  seen: (facts, since) =>
    `Mail went to ${written(sumOf(facts, since).strangers)} strangers whose addresses look bought: ${signsOfBoughtList(facts, since).join(', ')}.`,
}

const sameWords: Rule<MailFacts> = {
  type: 'same_words',
  reason: 'spam',
  windowDays: 1,
  measure: (facts, since) => facts.sameWords.filter(after(since)).length,
  levels: [
    { from: 100, severity: 3, points: 25, most: 50 },
    { from: 300, severity: 4, points: 50, most: 100 },
    { from: 1000, severity: 5, points: 100, most: 100 },
  ],
  seen: (facts, since) =>
    `${written(facts.sameWords.filter(after(since)).length)} single mails with the same words went to strangers within a day.`,
}

/** So many failures for names without an account count as one account: people mistype their name. */
const MISTYPED_NAMES = 3

function accountsTried({ logIns }: DoorFacts, since: Date): number {
  const tries = logIns.filter(({ at }) => at > since)
  const known = new Set(tries.flatMap(({ userId }) => (userId === null ? [] : [userId])))
  return known.size + Math.floor(tries.filter(({ userId }) => userId === null).length / MISTYPED_NAMES)
}

const failedLogIns: Rule<DoorFacts> = {
  type: 'failed_log_ins',
  reason: 'suspicious_activity',
  windowDays: 1,
  // Other people's accounts.
  measure: accountsTried,
  levels: [
    { from: 5, severity: 3, points: 30, most: 60 },
    { from: 10, severity: 4, points: 50, most: 100 },
    { from: 25, severity: 5, points: 100, most: 100 },
  ],
  seen: (facts, since) =>
    `Log-ins to ${written(accountsTried(facts, since))} other accounts failed within a day, from an address that this account is used from.`,
}

/** A code of administrators counts for two: nobody else has a reason to try one. */
const ADMIN_CODE_COUNTS = 2

const codeSweep: Rule<DoorFacts> = {
  type: 'code_sweep',
  reason: 'suspicious_activity',
  windowDays: 1,
  measure: ({ codes }, since) =>
    codes
      .filter(({ at }) => at > since)
      .reduce((sum, { isAdmin }) => sum + (isAdmin ? ADMIN_CODE_COUNTS : 1), 0),
  levels: [
    { from: 10, severity: 3, points: 40, most: 80 },
    { from: 20, severity: 4, points: 60, most: 100 },
    { from: 50, severity: 5, points: 100, most: 100 },
  ],
  seen: ({ codes }, since) =>
    `${written(codes.filter(({ at }) => at > since).length)} codes or links were guessed within a day, from an address that this account is used from.`,
}

const callBurst: Rule<CallFacts> = {
  type: 'call_burst',
  reason: 'system_abuse',
  windowDays: 1,
  // Minutes in which a limit stopped a call. The limit has done its work: this alone never comes to a warning.
  measure: ({ stopped }, since) => stopped.filter(after(since)).length,
  levels: [
    { from: 60, severity: 2, points: 10, most: 20 },
    { from: 240, severity: 3, points: 25, most: 30 },
    { from: 720, severity: 4, points: 30, most: 30 },
  ],
  seen: ({ stopped }, since) =>
    `A program went on calling in ${written(stopped.filter(after(since)).length)} minutes of a day although a limit had stopped it.`,
}

const manyAccounts: Rule<AccountFacts> = {
  type: 'many_accounts',
  reason: 'multiple_accounts',
  windowDays: 7,
  // Accounts of one network that are not confirmed after a day, and that nobody uses. A company's are used, even where no
  // system mail brings a link to confirm them.
  measure: ({ doubtful }, since) => doubtful.filter(after(since)).length,
  levels: [
    { from: 5, severity: 3, points: 25, most: 50 },
    { from: 10, severity: 4, points: 50, most: 100 },
    { from: 20, severity: 5, points: 80, most: 100 },
  ],
  seen: ({ opened, doubtful }, since) =>
    `${written(opened)} accounts were opened from one network in a week; ${written(doubtful.filter(after(since)).length)} of them are neither confirmed nor used.`,
}

/** Whoever invites many has some who never come. */
const DOUBTFUL_FRIENDS = 0.6

const farmedCredits: Rule<FriendFacts> = {
  type: 'farmed_credits',
  reason: 'fraud',
  windowDays: 30,
  measure: ({ friends }, since) => {
    const invited = friends.filter(({ at }) => at > since)
    const doubtful = invited.filter(({ isDoubtful }) => isDoubtful).length
    return doubtful >= DOUBTFUL_FRIENDS * invited.length ? doubtful : 0
  },
  levels: [
    { from: 5, severity: 3, points: 40, most: 60 },
    { from: 10, severity: 4, points: 60, most: 100 },
    { from: 20, severity: 5, points: 100, most: 100 },
  ],
  seen: ({ friends }, since) => {
    const invited = friends.filter(({ at }) => at > since)
    const doubtful = invited.filter(({ isDoubtful }) => isDoubtful).length
    return `${written(doubtful)} of ${written(invited.length)} invited friends share the inviter’s network or never confirmed their address, and do not use their account.`
  },
}

const INVITED = { failed: 0.5, atLeast: 40, openedAtLeast: 0.02 }

const invitationSweep: Rule<InvitationFacts> = {
  type: 'invitation_sweep',
  reason: 'spam',
  windowDays: 7,
  // Invitations that nobody could or wanted to read.
  measure: ({ invitations }, since) => {
    const sent = invitations.filter(({ at }) => at > since)
    const failed = sent.filter(({ hasFailed }) => hasFailed).length
    if (failed >= INVITED.failed * sent.length) return failed
    const opened = sent.filter(({ isOpened }) => isOpened).length
    return sent.length >= INVITED.atLeast && opened < INVITED.openedAtLeast * sent.length
      ? sent.length / 2
      : 0
  },
  levels: [
    { from: 15, severity: 3, points: 25, most: 50 },
    { from: 30, severity: 4, points: 50, most: 100 },
    { from: 60, severity: 5, points: 80, most: 100 },
  ],
  seen: ({ invitations }, since) => {
    const sent = invitations.filter(({ at }) => at > since)
    const failed = sent.filter(({ hasFailed }) => hasFailed).length
    return `${written(sent.length)} invitations went out within a week; ${written(failed)} came back, and ${written(sent.filter(({ isOpened }) => isOpened).length)} were opened.`
  },
}

export const MAIL_RULES = [bounceRate, complaintRate, sendingBurst, boughtList, sameWords]
export const DOOR_RULES = [failedLogIns, codeSweep]
export const CALL_RULES = [callBurst]
export const ACCOUNT_RULES = [manyAccounts]
export const FRIEND_RULES = [farmedCredits]
export const INVITATION_RULES = [invitationSweep]

/** Why somebody is banned because of a pattern. */
export const REASONS = Object.fromEntries(
  [...MAIL_RULES, ...DOOR_RULES, ...CALL_RULES, ...ACCOUNT_RULES, ...FRIEND_RULES, ...INVITATION_RULES].map(
    ({ type, reason }) => [type, reason],
  ),
) as Record<PatternType, BanReason>
