import { counted } from '#contract/platform/counted.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { holdGroup, releaseGroup, withdrawGroup } from '../../mail/emails/emails.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import {
  type BatchRow,
  findBatch,
  lockBatch,
  moveBatch,
  noteWaiting,
  pauseAllRuns,
  type Run,
  runsWithLastMails,
  setWithoutModel,
  skipPending,
  skipWithdrawn,
} from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

const CANCELLED = 'The run was cancelled'

const NOTED = {
  pause: 'run_paused',
  resume: 'run_resumed',
  cancel: 'run_cancelled',
  withoutModel: 'run_without_model',
} as const

/**
 * Pauses a run: mails on their way arrive, and no more are sent. Or resumes it, or cancels it: mails not yet sent are withdrawn.
 * Or has the rest of it written from the template.
 *
 * @throws Refusal 404, 409 when it is over, or asks no model anyway
 */
export async function holdBatch(
  context: Context,
  userId: number,
  id: number,
  act: keyof typeof NOTED,
  origin: Origin | null = null,
): Promise<BatchRow> {
  return inTransaction(context.db, async (tx) => {
    const batch = await ACTS[act](context, tx, userId, id)
    if (batch === undefined) {
      if ((await findBatch(tx, userId, id)) === undefined) throw notFound('There is no such run.')
      throw conflict('This run is over.')
    }
    await noteActivity(context, tx, { type: NOTED[act], user: userId, origin, detail: `run ${id}` })
    await context.live.publish(tx, userId, { topic: 'outreach' })
    await context.live.publish(tx, userId, { topic: 'emails' })
    return batch
  })
}

type Act = (context: Context, tx: Tx, userId: number, id: number) => Promise<BatchRow | undefined>

/** Each gives the run as it is then; undefined where it is over, or there is none. */
const ACTS: Record<keyof typeof NOTED, Act> = {
  pause: async (_, tx, userId, id) => {
    const batch = await moveBatch(tx, userId, id, 'paused')
    if (batch !== undefined) await holdGroup(tx, userId, id)
    return batch
  },
  resume: async (_, tx, userId, id) => {
    const batch = await moveBatch(tx, userId, id, 'running')
    if (batch === undefined) return undefined
    await releaseGroup(tx, userId, id)
    await noteWaiting(tx, userId, id, batch.waits_for, null)
    return { ...batch, look_again_at: null }
  },
  cancel: async ({ clock }, tx, userId, id) => {
    const batch = await moveBatch(tx, userId, id, 'cancelled', clock.now())
    if (batch === undefined) return undefined
    await skipPending(tx, userId, id, CANCELLED)
    await skipWithdrawn(tx, userId, id, await withdrawGroup(tx, userId, id), CANCELLED)
    return batch
  },
  withoutModel: async (_, tx, userId, id) => {
    const batch = await setWithoutModel(tx, userId, id)
    if (batch !== undefined && batch.template !== null)
      throw conflict('This run already writes from a template.')
    return batch
  },
}

/** Takes mails of a run that is held or cancelled out of the queue. */
export async function takeFromQueue(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    // It may have been resumed meanwhile.
    const state = (await lockBatch(tx, userId, id))?.state
    if (state === 'paused') await holdGroup(tx, userId, id)
    if (state === 'cancelled')
      await skipWithdrawn(tx, userId, id, await withdrawGroup(tx, userId, id), CANCELLED)
  })
}

/**
 * Runs may have been set up by a stranger: all are paused, with their mails, until their owner resumes them. Mails of a run
 * that is done are withdrawn as far as they have not left: nobody can resume it.
 */
export async function pauseRuns(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const paused = await pauseWithMails(tx, userId)
  for (const { batchId } of paused)
    await noteActivity(context, tx, {
      type: 'run_paused',
      user: userId,
      origin: null,
      detail: `run ${batchId}`,
    })
  for (const id of await runsWithLastMails(tx, userId))
    await skipWithdrawn(tx, userId, id, await withdrawGroup(tx, userId, id), CANCELLED)
  await context.live.publish(tx, userId, { topic: 'outreach' })
  await context.live.publish(tx, userId, { topic: 'emails' })
  if (paused.length === 0) return { told: [] }
  return { told: [`${counted(paused.length, 'bulk run is', 'bulk runs are')} paused.`] }
}

/** After a restore: pauses all runs of all users. Each waits until its owner resumes it. */
export async function pauseRestoredRuns(tx: Tx): Promise<Run[]> {
  return pauseWithMails(tx)
}

async function pauseWithMails(tx: Tx, owner?: number): Promise<Run[]> {
  const paused = await pauseAllRuns(tx, owner)
  for (const { userId, batchId } of paused) await holdGroup(tx, userId, batchId)
  return paused
}
