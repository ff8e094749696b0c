import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { sequences, SequenceStep } from '#contract/outreach/sequences.ts'
import { ANY_TIME, localDay, nextDay, standingOf, warmUpCeiling } from '../automatic-mail/automatic-mail.ts'
import { tagKey } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { type Mailbox, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { accountOf } from './account-of.ts'
import { countMailsSince } from './due-store.ts'
import { forecast, type ForecastInput } from './forecast.ts'
import {
  countInBoth,
  type ForeseenSequence,
  groupMembers,
  runningBeside,
  stepsOfSequences,
} from './forecast-store.ts'
import { hoursOf, mailsASlot, slotOf } from './pace.ts'
import { getSequence } from './save-sequence.ts'
import type { SequenceRow } from './store.ts'

/** After so many days with mails no account is new any more. */
const WARM_UP_DAYS_MAX = 30

/**
 * How many mails of a sequence leave on which day if nobody replies: to those who are under way, and to so many who begin now.
 * What the user's other running sequences send through the same account is foreseen with it.
 *
 * @param beginning null: nobody, or those that wait in a sequence that has not started
 * @throws Refusal 404
 */
export async function forecastSequence(
  context: Context,
  user: { id: number; timeZone: string },
  id: number,
  beginning: number | null,
): Promise<ReplyOf<typeof sequences.forecast>> {
  const { db } = context
  const now = context.clock.now()
  const row = await getSequence(context, user.id, id)
  const mailbox = await accountOf(db, row)
  const standing =
    mailbox === undefined
      ? undefined
      : await standingOf(context, db, { userId: user.id, mailboxId: mailbox.id })
  const zone = standing?.zone ?? user.timeZone
  const all = [row, ...(mailbox === undefined ? [] : await sharersOf(db, row, mailbox))]
  return forecast({
    ...(await underWay(db, row, all, { now, zone }, beginning)),
    // Where each reader is makes hours of difference, and seldom a day: the user's clock stands for theirs.
    rules: all.map((each) => [hoursOf(each), standing?.rules ?? ANY_TIME]),
    now,
    zone,
    aSlot: mailsASlot(mailbox?.hourly_limit ?? null),
    inSlot: mailbox === undefined ? 0 : await countMailsSince(db, user.id, mailbox.id, slotOf(now)),
    ceiling: ceilingFrom(standing?.ceiling ?? null),
    sentToday: standing?.sentToday ?? 0,
  })
}

async function sharersOf(db: Queryable, { user_id: userId, id }: SequenceRow, mailbox: Mailbox) {
  const isInUse = (await primaryMailbox(db, userId))?.id === mailbox.id
  return runningBeside(db, userId, id, { id: mailbox.id, isPractice: mailbox.is_practice, isInUse })
}

/** Who is due when in these sequences, of which the first is the one that is asked about. */
async function underWay(
  db: Queryable,
  row: SequenceRow,
  all: readonly ForeseenSequence[],
  { now, zone }: { now: Date; zone: string },
  beginning: number | null,
): Promise<Pick<ForecastInput, 'due' | 'inBoth'>> {
  const userId = row.user_id
  const isDraft = row.state === 'draft'
  const places = new Map(all.map(({ id }, place) => [id, place]))
  const ids = [...places.keys()].filter((id) => id !== row.id || !isDraft || beginning === null)
  const versions = await stepsOfSequences(db, userId, ids)
  const stepsOf = new Map(
    versions.map(({ sequenceId, version, steps }) => [`${sequenceId} ${version}`, steps]),
  )
  const today = localDay(now, zone)
  const [members, inBoth] = await Promise.all([
    groupMembers(db, userId, ids, { now, today, dayEnds: nextDay(now, zone) }, askedIn(versions)),
    countInBoth(db, userId, ids),
  ])
  const [first] = row.steps
  const due: ForecastInput['due'][number][] = members.flatMap(
    ({ at, sequenceId, step, mailedToday, ...group }) => {
      const steps = stepsOf.get(`${sequenceId} ${group.version}`) ?? row.steps
      const next = step ?? (isDraft ? first?.id : undefined)
      if (next === undefined) return []
      const mailedOn = mailedToday ? today : ''
      return [{ at, group: { ...group, sequence: places.get(sequenceId) ?? 0, steps, step: next, mailedOn } }]
    },
  )
  if (beginning !== null && beginning > 0 && first !== undefined) {
    const { steps, version } = row
    const group = {
      sequence: 0,
      steps,
      version,
      step: first.id,
      members: beginning,
      mailedOn: '',
      status: '',
      tags: [],
    }
    due.push({ at: now, group })
  }
  const pairs = new Map<string, number>()
  for (const { one, other, contacts } of inBoth) {
    pairs.set(`${places.get(one)} ${places.get(other)}`, contacts)
    pairs.set(`${places.get(other)} ${places.get(one)}`, contacts)
  }
  return { due, inBoth: (one, other) => pairs.get(`${one} ${other}`) ?? 0 }
}

/** Which sequences have conditions about the status or about tags, and about which tags. */
function askedIn(versions: readonly { sequenceId: number; steps: readonly SequenceStep[] }[]) {
  const asks = { status: new Set<number>(), tags: new Set<number>(), names: new Set<string>() }
  for (const { sequenceId, steps } of versions)
    for (const step of steps) {
      if (step.kind !== 'condition') continue
      if (step.if.about === 'status') asks.status.add(sequenceId)
      if (step.if.about !== 'tag') continue
      asks.tags.add(sequenceId)
      asks.names.add(tagKey(step.if.tag))
    }
  return { status: [...asks.status], tags: [...asks.tags], names: [...asks.names] }
}

/** The ceilings of the days to come of an account whose ceiling today is this. */
function ceilingFrom(today: number | null): (daysSent: number) => number | null {
  if (today === null) return () => null
  let begun = 0
  while (begun < WARM_UP_DAYS_MAX && warmUpCeiling(begun) !== today) begun += 1
  return (daysSent) => warmUpCeiling(begun + daysSent)
}
