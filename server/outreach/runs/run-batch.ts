import { setTimeout as pause } from 'node:timers/promises'
import { noteActivity } from '../../accounts/activities/activities.ts'
import {
  countOfEarlierDays,
  type Refused,
  type Standing,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { analyzeGrownTables } from '../../platform/database/analyze-grown-tables.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { countGroup, countQueued, type GroupCount } from '../../mail/emails/emails.ts'
import { listContacts } from './list-contacts.ts'
import {
  type BatchRow,
  findBatch,
  keepRunning,
  moveBatch,
  noteWaiting,
  pendingItems,
  sendingOf,
} from './store.ts'
import { AHEAD } from './write-many.ts'
import { groupOf, writeSome } from './write-some.ts'

const LOOK_EVERY_MS = 300
/** How often it looks where what waits since yesterday takes the room of today. */
const LOOK_FOR_ROOM_MS = 5000
/** How often a run looks whether its account may still send. */
const LOOK_AT_RULES_MS = 1000
/** A run whose last mails were deferred is over for the user; they are retried automatically. */
const LATER_IS_OVER_MS = 10 * 60_000
/** After this long other runs have their turn. */
const TURN_MS = 5 * 60_000

/**
 * Drives a run: lists the contacts, writes mails a little ahead of sending, and records the end. It may be
 * interrupted anywhere, and may run twice at once: each contact's row is written by only one of them.
 */
export async function runBatch(
  context: Context,
  userId: number,
  batchId: number,
  signal: AbortSignal,
): Promise<void> {
  const turnEnds = Date.now() + TURN_MS
  // Contacts are written in order; reading those before this one again each time would cost more and more.
  let after = 0
  // How many more may be written before counting again is worth it.
  const room = { left: 0 }
  let looked: { at: number; standing: Standing | undefined } = { at: 0, standing: undefined }
  while (Date.now() < turnEnds && !signal.aborted) {
    const batch = await findBatch(context.db, userId, batchId)
    if (batch === undefined || batch.state !== 'running') return
    if (!batch.is_listed) {
      await listContacts(context, batch, signal)
      continue
    }
    // An account's figures, hours and ceiling: of a new address nobody else's mails may take what is counted on, and a run
    // that has waited, perhaps over midnight, goes on by what holds now.
    const isOld = Date.now() - looked.at >= LOOK_AT_RULES_MS
    if (isOld || batch.waits_for !== null || (looked.standing?.ceiling ?? null) !== null) {
      looked = { at: Date.now(), standing: await standingOf(context, context.db, sendingOf(batch)) }
    }
    const { standing } = looked
    const refused = standing?.refused ?? null
    // What a run waits for stays so while all mail of the user is paused.
    if (standing !== undefined && refused?.kind !== 'paused') {
      if (await hasToWait(context, batch, standing)) return noteWait(context, batch, refused)
      // It waits for its model until that has answered.
      if (batch.waits_for !== null && batch.waits_for !== 'model') await noteWait(context, batch, null)
    }
    const most = standing === undefined ? AHEAD : await roomToday(context, batch, standing)
    // What is written today should leave today: an account with a limit is no more than an hour ahead.
    const ahead = Math.min(AHEAD, standing?.account.hourlyLimit ?? AHEAD)
    const wrote = most > 0 ? await writeSome(context, batch, { after, most, ahead, room, signal }) : 'enough'
    if (wrote === 'waits') return
    if (wrote === 'refused') {
      // The rules have changed since they were looked at.
      looked.at = 0
      continue
    }
    if (typeof wrote === 'number') {
      after = wrote
      continue
    }
    if (wrote === 'nothing left') after = 0
    if (await isOver(context, batch)) {
      await finish(context, batch)
      return
    }
    await pause(most > 0 ? LOOK_EVERY_MS : LOOK_FOR_ROOM_MS, undefined, { signal }).catch(() => {})
  }
}

/** How many more mails the account's ceiling has room for today. What waits since an earlier day leaves first. */
async function roomToday(context: Context, batch: BatchRow, standing: Standing): Promise<number> {
  const { ceiling, sentToday, today } = standing
  if (ceiling === null) return AHEAD
  return ceiling - sentToday - (await countOfEarlierDays(context.db, batch.user_id, batch.id, today))
}

/** A new address that has sent all that it may today lets what it has queued for today leave. */
async function hasToWait(context: Context, batch: BatchRow, { refused, today }: Standing): Promise<boolean> {
  if (refused?.kind !== 'warm_up') return refused !== null && !(await isOver(context, batch))
  const { user_id: userId, id } = batch
  return (
    (await hasPending(context.db, batch)) || (await countOfEarlierDays(context.db, userId, id, today)) > 0
  )
}

const hasPending = async (db: Queryable, { user_id: userId, id }: BatchRow) =>
  (await pendingItems(db, userId, id, 0, 1)).length > 0

/** Whether nothing more is to be expected of a run. */
async function isOver(context: Context, batch: BatchRow): Promise<boolean> {
  if (await hasPending(context.db, batch)) return false
  // Counting all mails of a run takes as long as sending some of them: not while any is waiting to be sent.
  if ((await countQueued(context.db, groupOf(batch), 1)) > 0) return false
  const now = context.clock.now()
  const counts = await countGroup(context.db, batch.user_id, batch.id, now)
  return !counts.some((count) => stillMoving(count, now))
}

function stillMoving({ state, fresh, next_try_at }: GroupCount, now: Date): boolean {
  if (fresh > 0) return true
  if (state === 'deferred')
    return next_try_at !== null && next_try_at.getTime() - now.getTime() < LATER_IS_OVER_MS
  return state === 'queued' || state === 'claimed' || state === 'committed'
}

async function finish(context: Context, batch: BatchRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // A mail to an address that has changed may have been taken back meanwhile: it is written again.
    const isDone = (await keepRunning(tx, batch.user_id, batch.id)) && !(await hasPending(tx, batch))
    if (isDone) {
      await moveBatch(tx, batch.user_id, batch.id, 'done', context.clock.now())
      const finished = { type: 'run_finished', user: batch.user_id, origin: null } as const
      await noteActivity(context, tx, { ...finished, detail: `run ${batch.id}` })
    }
    await context.live.publish(tx, batch.user_id, { topic: 'outreach' })
  })
  await analyzeGrownTables(context, ['emails', 'deliveries'], batch.total)
}

/** A run that only its user can let go on looks again after this long, should nothing wake it. */
const LOOK_AGAIN_MS = 60_000

const lookAgainAt = ({ clock }: Context, { until }: Refused): Date =>
  until ?? new Date(clock.now().getTime() + LOOK_AGAIN_MS)

/** Notes what a run waits for, or that it goes on. What is queued is judged when it is about to leave. */
async function noteWait(context: Context, batch: BatchRow, refused: Refused | null): Promise<void> {
  const { user_id: userId, id } = batch
  const waitsFor = refused?.kind ?? null
  await noteWaiting(context.db, userId, id, waitsFor, refused && lookAgainAt(context, refused))
  if (batch.waits_for !== waitsFor) await context.live.publish(context.db, userId, { topic: 'outreach' })
}
