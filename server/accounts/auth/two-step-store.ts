import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { TwoStepTable } from './tables.ts'
import { hasRows } from '../../platform/database/rows.ts'

export type TwoStepRow = Selectable<TwoStepTable>

/** The user's two-step sign-in, also one that is being set up. */
export async function findTwoStep(db: Queryable, userId: number): Promise<TwoStepRow | undefined> {
  return db.selectFrom('two_step').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** How many recovery codes the user has not used. */
export async function countRecoveryCodes(db: Queryable, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** Keeps a secret that is to be confirmed, in place of an earlier one. False when two-step sign-in is on. */
export async function keepNewSecret(
  db: Queryable,
  { userId, box, now }: { userId: number; box: string; now: Date },
) {
  return hasRows(db)`
    INSERT INTO two_step AS t (user_id, secret_box, begun_at) VALUES (${userId}, ${box}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET secret_box = excluded.secret_box, begun_at = excluded.begun_at, last_step = 0
    WHERE t.on_since IS NULL RETURNING 1`
}

/** Switches it on with the secret in `box`, whose code of `step` is used up. False when another call was first. */
export async function switchOn(
  tx: Tx,
  { userId, box, step, now }: { userId: number; box: string; step: number; now: Date },
) {
  return hasRows(tx)`
    UPDATE two_step SET on_since = ${now}, last_step = ${step}
    WHERE user_id = ${userId} AND secret_box = ${box} AND on_since IS NULL RETURNING 1`
}

/** Uses up the code of a time step. Of several calls at once, one gets it; no older code works after it. */
export async function useStep(db: Queryable, userId: number, step: number) {
  return hasRows(db)`
    UPDATE two_step SET last_step = ${step}
    WHERE user_id = ${userId} AND on_since IS NOT NULL AND last_step < ${step} RETURNING 1`
}

/** Uses up a recovery code of an account with two-step sign-in. Of several calls at once, one gets it. */
export async function useRecoveryCode(db: Queryable, userId: number, signature: string, now: Date) {
  return hasRows(db)`
    UPDATE recovery_codes SET used_at = ${now}
    WHERE user_id = ${userId} AND signature = ${signature} AND used_at IS NULL
      AND EXISTS (SELECT FROM two_step WHERE user_id = ${userId} AND on_since IS NOT NULL) RETURNING 1`
}

/** Replaces the user's recovery codes. False when two-step sign-in is off by now. */
export async function replaceRecoveryCodes(tx: Tx, userId: number, signatures: readonly string[]) {
  // Whoever switches it off at the same moment waits here, or has done it.
  const { rows } = await sql`
    SELECT FROM two_step WHERE user_id = ${userId} AND on_since IS NOT NULL FOR UPDATE`.execute(tx)
  if (rows.length === 0) return false
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(signatures.map((signature) => ({ user_id: userId, signature, used_at: null })))
    .execute()
  return true
}

/** Switches it off and forgets secret and recovery codes. False when it was not on. */
export async function removeTwoStep(tx: Tx, userId: number): Promise<boolean> {
  const removed = await tx
    .deleteFrom('two_step')
    .where('user_id', '=', userId)
    .where('on_since', 'is not', null)
    .returning('user_id')
    .executeTakeFirst()
  if (removed === undefined) return false
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return true
}

/** Forgets two-step sign-in, also one that is being set up. True if it was on. */
export async function forgetTwoStep(tx: Tx, userId: number): Promise<boolean> {
  const wasOn = await removeTwoStep(tx, userId)
  await tx.deleteFrom('two_step').where('user_id', '=', userId).execute()
  return wasOn
}
