import type * as z from 'zod/mini'
import type { ModelSettings, ownModelInput } from '#contract/models/own-model.ts'
import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { KEY_UNREADABLE } from './model-for.ts'
import { keyFor, openKey, sealKey } from './own-key.ts'
import { findOwnModel, lockOwnModel, type OwnModelRow, removeOwnModelRow, saveOwnModelRow } from './store.ts'

/** Saves a user's own model. A saved key goes with its address: another one begins without a key. */
export async function saveOwnModel(
  context: Context,
  userId: number,
  input: z.output<typeof ownModelInput>,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const key = keyFor(context, await lockOwnModel(tx, userId), input)
    await saveOwnModelRow(tx, {
      user_id: userId,
      base_url: input.base_url,
      model: input.model,
      api_key_box: key === null ? null : sealKey(context, userId, input.base_url, key),
      saved_at: context.clock.now(),
    })
    await context.live.publish(tx, userId, { topic: 'account' })
  })
}

/** Removes it with its key: the house's model answers again, or none. */
export async function removeOwnModel(context: Context, userId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await removeOwnModelRow(tx, userId)
    await context.live.publish(tx, userId, { topic: 'account' })
  })
}

/** The model may have been set up by a stranger: it would read the owner's mail. */
export async function clearOwnModel(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const row = await lockOwnModel(tx, userId)
  if (row === undefined) return { told: [] }
  await removeOwnModelRow(tx, userId)
  await context.live.publish(tx, userId, { topic: 'account' })
  return { told: [`The AI model at ${new URL(row.base_url).host} was removed.`] }
}

/** Which model answers for a user, and how their own stands. */
export async function modelSettingsOf(context: Context, userId: number): Promise<ModelSettings> {
  const row = await findOwnModel(context.db, userId)
  const { available, name } = context.model
  return {
    answers: row !== undefined ? 'own' : available ? 'house' : 'none',
    house: available ? name : null,
    own: row === undefined ? null : present(context, row),
    finds: context.config.ownModels.beside.length > 0,
  }
}

function present(context: Context, row: OwnModelRow): NonNullable<ModelSettings['own']> {
  return {
    base_url: row.base_url,
    model: row.model,
    api_key_set: row.api_key_box !== null,
    saved_at: row.saved_at.toISOString(),
    problem: isReadable(context, row) ? null : KEY_UNREADABLE,
  }
}

function isReadable(context: Context, row: OwnModelRow): boolean {
  try {
    openKey(context, row)
    return true
  } catch {
    return false
  }
}
