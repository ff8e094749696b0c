import {
  activeBansAfter,
  carriedBans,
  deleteAgain,
  deletedUsersAfter,
  demoteFormer,
  knownUsers,
  usedCodesAfter,
  usersAfter,
  useUp,
} from '../../accounts/auth/auth.ts'
import type { Database, Queryable, Tx } from '../../platform/database/handles.ts'
import {
  carriedSuppressions,
  leftAmong,
  newerSuppressions,
  openEmailsAfter,
  settleLeft,
} from '../../mail/emails/emails.ts'
import { ALREADY_MAILED, mailedItems, pendingItemsAfter, skipItems } from '../../outreach/runs/runs.ts'
import { oldestRestored } from './restores-store.ts'

const AT_ONCE = 2000
/** What was written while the snapshot was being taken is older than its moment: the day before is compared too. */
const OVERLAP_MS = 24 * 3_600_000

/** What a database knew that is newer than the backup. */
export type CarriedOver = {
  suppressions: number
  deletedAccounts: number
  /** Accounts of the backup that were not there. */
  missingAccounts: number
  bans: number
  demoted: number
  leftEmails: number
  mailedContacts: number
}

/**
 * Takes over from the database that a restore replaces what must not be undone: addresses that get no more mail, accounts
 * that were deleted, which of the waiting emails have left, and whom the bulk runs have mailed.
 *
 * An account that is missing there was removed, or was never there for a reason that nobody knows: it counts as deleted from now
 * on, so that it can be restored for 30 days.
 *
 * @returns undefined where that database is of another house
 */
export async function carryOver(
  tx: Tx,
  before: Database,
  takenAt: Date,
  now: Date,
): Promise<CarriedOver | undefined> {
  const { known, gone } = await compareAccounts(tx, before)
  if (known === 0) return undefined
  const demoted = await demoteFormer(tx, before)
  await carryUsedCodes(tx, before, takenAt)
  return {
    demoted,
    bans: await carryBans(tx, before),
    suppressions: await carrySuppressions(tx, before, takenAt),
    deletedAccounts: await carryDeletions(tx, before),
    missingAccounts: await deleteAgain(
      tx,
      gone.map((id) => ({ id, deleted_at: now, deletion_reason: null })),
    ),
    leftEmails: await carryLeft(tx, before),
    mailedContacts: await carryMailed(tx, before),
  }
}

/**
 * How many accounts of the backup the other database has, and those that were removed from it. Accounts that are missing
 * because an even older backup was brought back into it were not removed.
 */
async function compareAccounts(tx: Tx, before: Queryable): Promise<{ known: number; gone: number[] }> {
  const gone: number[] = []
  const oldest = await oldestRestored(before)
  const wasThere = (user: { created_at: Date }) => oldest === null || user.created_at < oldest
  let known = 0
  for (let after = 0; ;) {
    const users = await usersAfter(tx, after, AT_ONCE)
    const there = await knownUsers(before, users)
    known += there.size
    gone.push(...users.flatMap((user) => (there.has(user.id) || !wasThere(user) ? [] : [user.id])))
    if (users.length < AT_ONCE) return { known, gone }
    after = users.at(-1)?.id ?? after
  }
}

async function carrySuppressions(tx: Tx, before: Queryable, takenAt: Date): Promise<number> {
  const since = new Date(takenAt.getTime() - OVERLAP_MS)
  let count = 0
  for (let after = { userId: 0, key: '' }; ;) {
    const rows = await newerSuppressions(before, since, after, AT_ONCE)
    count += await carriedSuppressions(tx, rows)
    const last = rows.at(-1)
    if (rows.length < AT_ONCE || last === undefined) return count
    after = { userId: last.user_id, key: last.address_key }
  }
}

/** Accounts that are deleted there, with the time of it. */
async function carryDeletions(tx: Tx, before: Queryable): Promise<number> {
  let count = 0
  for (let after = 0; ;) {
    const deleted = await deletedUsersAfter(before, after, AT_ONCE)
    count += await deleteAgain(tx, deleted)
    if (deleted.length < AT_ONCE) return count
    after = deleted.at(-1)?.id ?? after
  }
}

async function carryLeft(tx: Tx, before: Queryable): Promise<number> {
  let count = 0
  for (let after = { userId: 0, emailId: 0 }; ;) {
    const open = await openEmailsAfter(tx, after, AT_ONCE)
    count += await settleLeft(tx, await leftAmong(before, open))
    const last = open.at(-1)
    if (open.length < AT_ONCE || last === undefined) return count
    after = last
  }
}

/** Recovery codes that were used there. */
async function carryUsedCodes(tx: Tx, before: Queryable, takenAt: Date): Promise<void> {
  const since = new Date(takenAt.getTime() - OVERLAP_MS)
  for (let after = { userId: 0, signature: '' }; ;) {
    const codes = await usedCodesAfter(before, since, after, AT_ONCE)
    await useUp(tx, codes)
    const last = codes.at(-1)
    if (codes.length < AT_ONCE || last === undefined) return
    after = { userId: last.user_id, signature: last.signature }
  }
}

/** Bans that are in force there. */
async function carryBans(tx: Tx, before: Queryable): Promise<number> {
  let count = 0
  for (let after = 0; ;) {
    const bans = await activeBansAfter(before, after, AT_ONCE)
    count += await carriedBans(tx, bans)
    if (bans.length < AT_ONCE) return count
    after = bans.at(-1)?.user_id ?? after
  }
}

/** Contacts of the runs that the replaced house has mailed since. */
async function carryMailed(tx: Tx, before: Queryable): Promise<number> {
  let count = 0
  for (let after = { userId: 0, batchId: 0, contactId: 0 }; ;) {
    const pending = await pendingItemsAfter(tx, after, AT_ONCE)
    count += await skipItems(tx, await mailedItems(before, pending), ALREADY_MAILED)
    const last = pending.at(-1)
    if (pending.length < AT_ONCE || last === undefined) return count
    after = last
  }
}
