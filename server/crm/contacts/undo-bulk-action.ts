import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import {
  findAction,
  forgetAction,
  forgetActionsBefore,
  restoreDeleted,
  startNoSequences,
  takeOutOfSequences,
  type UndoneAction,
} from './bulk-actions-store.ts'
import { tagContacts, untagContacts } from './tags-store.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { changing } from '../../platform/changing.ts'

/** A bulk action can be undone for this long; then what that needs is deleted. */
const UNDO_MS = 60 * 60_000
const FORGET_EVERY_MS = 10 * 60_000
const FORGET_AT_ONCE = 20

/** Undoes a bulk action as far as still possible; returns how many contacts changed. @throws Refusal 404 */
export async function undoAct(context: Context, userId: number, id: number): Promise<number> {
  return changing(context, userId, 'contacts', async (tx) => {
    const action = await findAction(tx, userId, id, oldest(context))
    if (action === undefined) throw notFound('This can no longer be undone.')
    await startNoSequences(tx)
    const restored = await undo(tx, userId, action)
    await forgetAction(tx, userId, id)
    return restored
  })
}

async function undo(tx: Tx, userId: number, { id, action, tag_id, contact_ids, done_at }: UndoneAction) {
  if (action === 'delete') return restoreDeleted(tx, userId, id)
  if (tag_id === null) return 0
  if (action === 'untag') return (await tagContacts(tx, userId, contact_ids, tag_id)).length
  await takeOutOfSequences(tx, done_at)
  return (await untagContacts(tx, userId, contact_ids, tag_id)).length
}

const oldest = (context: Context) => new Date(context.clock.now().getTime() - UNDO_MS)

/** Starts the loop that deletes what can no longer be undone. */
export function startForgettingActs(context: Context): Loop {
  return startLoop(context, 'forget contact actions', FORGET_EVERY_MS, async () => {
    let forgotten = FORGET_AT_ONCE
    while (forgotten === FORGET_AT_ONCE && !context.stopping.aborted)
      forgotten = await forgetActionsBefore(context.db, oldest(context), FORGET_AT_ONCE)
  })
}
