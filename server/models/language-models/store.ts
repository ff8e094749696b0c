import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { OwnModelsTable } from './tables.ts'

export type OwnModelRow = Selectable<OwnModelsTable>

export async function findOwnModel(db: Queryable, userId: number): Promise<OwnModelRow | undefined> {
  return db.selectFrom('own_models').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function lockOwnModel(tx: Tx, userId: number): Promise<OwnModelRow | undefined> {
  return tx.selectFrom('own_models').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

/** Saves the user's own model in place of an earlier one. */
export async function saveOwnModelRow(tx: Tx, row: OwnModelRow): Promise<void> {
  const { user_id: _, ...state } = row
  await tx
    .insertInto('own_models')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(state))
    .execute()
}

export async function removeOwnModelRow(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('own_models').where('user_id', '=', userId).execute()
}
