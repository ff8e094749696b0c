import type { Insertable, Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { UserRow } from './store.ts'
import type { AppealsTable, BansTable } from './tables.ts'
import { changeRow } from '../../platform/database/rows.ts'

export type BanRow = Selectable<BansTable>
export type AppealRow = Selectable<AppealsTable>

/**
 * The live account, locked: whoever claims its mail, or changes its bans, waits for the end of this transaction. Call it before
 * anything else of this file that changes something: two that lock in another order would wait for each other.
 */
export async function lockUser(tx: Tx, userId: number): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('is_system', '=', false)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The ban of a user that nothing has ended yet; its time may be over. */
export async function findBan(db: Queryable, userId: number): Promise<BanRow | undefined> {
  return db
    .selectFrom('bans')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

/**
 * Bans a user whom {@link lockUser} has locked, and who has no ban: nobody can sign in, and no mail is claimed or read.
 *
 * @throws an error that `isLastAdministrator` tells
 */
export async function addBan(tx: Tx, ban: Insertable<BansTable>): Promise<BanRow> {
  await tx.updateTable('users').set({ is_active: false }).where('id', '=', ban.user_id).execute()
  return tx.insertInto('bans').values(ban).returningAll().executeTakeFirstOrThrow()
}

/** Ends the ban of a user whom {@link lockUser} has locked. Undefined without one. */
export async function liftBan(
  tx: Tx,
  userId: number,
  lifted: { now: Date; by: number | null; reason: string },
): Promise<BanRow | undefined> {
  return endBan(tx, userId, {
    status: 'lifted',
    ended_at: lifted.now,
    lifted_by: lifted.by,
    unban_reason: lifted.reason,
  })
}

/** Ends the ban of a locked user if its time is over. Undefined without one. */
export async function expireBan(tx: Tx, userId: number, now: Date): Promise<BanRow | undefined> {
  const ban = await findBan(tx, userId)
  if (ban === undefined || ban.expires_at === null || ban.expires_at > now) return undefined
  return endBan(tx, userId, { status: 'expired', ended_at: ban.expires_at })
}

async function endBan(
  tx: Tx,
  userId: number,
  end: Partial<BanRow> & { status: 'expired' | 'lifted'; ended_at: Date },
): Promise<BanRow | undefined> {
  const ended = await tx
    .updateTable('bans')
    .set({ ...end, appeal_signature: null, appeal_until: null })
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  if (ended !== undefined)
    await tx.updateTable('users').set({ is_active: true }).where('id', '=', userId).execute()
  return ended
}

/** Users whose ban is over by `now`, the longest over first. */
export async function usersWithBanOver(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('bans')
    .select('user_id')
    .where('status', '=', 'active')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** The appeals against a ban, the oldest first. */
export async function appealsOf(db: Queryable, ban: Pick<BanRow, 'user_id' | 'id'>): Promise<AppealRow[]> {
  return db
    .selectFrom('appeals')
    .selectAll()
    .where('user_id', '=', ban.user_id)
    .where('ban_id', '=', ban.id)
    .orderBy('id')
    .execute()
}

/** Lets the user appeal with this token until then; older ones are void. */
export async function setAppealToken(
  tx: Tx,
  ban: Pick<BanRow, 'user_id' | 'id'>,
  { signature, until }: { signature: string; until: Date },
): Promise<void> {
  await changeRow(tx, 'bans', ban.user_id, ban.id, { appeal_signature: signature, appeal_until: until })
}

/** The ban in force that this token lets its user appeal against. */
export async function findBanByToken(db: Queryable, signature: string, now: Date) {
  return db
    .selectFrom('bans')
    .selectAll()
    .where('appeal_signature', '=', signature)
    .where('appeal_until', '>', now)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

/** Adds an appeal; the token that it came with is used up. */
export async function addAppeal(
  tx: Tx,
  ban: Pick<BanRow, 'user_id' | 'id'>,
  appeal: { message: string; now: Date },
): Promise<void> {
  await changeRow(tx, 'bans', ban.user_id, ban.id, { appeal_signature: null, appeal_until: null })
  await tx
    .insertInto('appeals')
    .values({ user_id: ban.user_id, ban_id: ban.id, message: appeal.message, submitted_at: appeal.now })
    .execute()
}

/** Answers the appeal that waits. False without one. */
export async function setAnswer(
  tx: Tx,
  ban: Pick<BanRow, 'user_id' | 'id'>,
  answer: Pick<AppealRow, 'decision' | 'answer' | 'answered_at' | 'answered_by'>,
): Promise<boolean> {
  const answered = await tx
    .updateTable('appeals')
    .set(answer)
    .where('user_id', '=', ban.user_id)
    .where('ban_id', '=', ban.id)
    .where('answered_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return answered !== undefined
}
