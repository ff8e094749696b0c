import { findUser, usersSeenSince } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { type Loop, startDueLoop } from '../../../platform/jobs/loop.ts'
import {
  claimDueMailboxes,
  hasImap,
  type Mailbox,
  mailboxesReadBy,
  readForActions,
  READING,
  releaseMailbox,
} from '../../mailboxes/mailboxes.ts'
import { readUnlessPaused } from './check-now.ts'
import { accountsWithDueDrafts } from './draft-appends-store.ts'
import { accountsWithDueActions } from './pending-actions-store.ts'
import { type Held, holdMailbox } from './mailbox-session.ts'
import { makeSuspects } from './suspects.ts'

const POLL_EVERY_MS = 300
/** How often the users who are present are looked up. */
const CHECK_USERS_EVERY_MS = 2000
/** A user seen within this time may be looking at the mail page. */
const SEEN_WITHIN_MS = 5 * 60_000
/** Accounts that one process syncs at once. A hanging account blocks its own slot, not the others. */
const READ_AT_ONCE = 8
/** Idle connections that one process keeps open. */
const IDLE_MAX = 50
/** Accounts with due actions that are looked up at once. */
const ACCOUNTS_AT_ONCE = 1000
/** An account that cannot be read at all (no active user, no settings) is tried again after this long. */
const UNREADABLE_RETRY_MS = 5 * 60_000

/** Starts the sync loop: due accounts are synced; accounts of present users keep an idle connection. */
export function startSyncing(context: Context): Loop[] {
  const held = new Map<string, Held>()
  const leaked = new Set<string>()
  const suspects = makeSuspects()
  let seen = new Set<number>()
  let usersCheckedAt = -Infinity

  const take = (mailbox: Mailbox) => {
    const key = keyOf(mailbox)
    const mayIdle = () => seen.has(mailbox.user_id) && idling(held, key) < IDLE_MAX
    const mine = holdMailbox(context, mailbox, suspects, mayIdle)
    held.set(key, mine)
    void mine.ended.finally(() => {
      if (held.get(key) === mine) held.delete(key)
    })
  }

  const read = startDueLoop(context, READING, POLL_EVERY_MS, async () => {
    if (seen.size === 0 || performance.now() - usersCheckedAt > CHECK_USERS_EVERY_MS) {
      usersCheckedAt = performance.now()
      seen = await presentUsers(context, seen)
    }
    await compareClaims(context, held, leaked)
    await wakeForDueActions(context, held)
    const free = READ_AT_ONCE - [...held.values()].filter(({ waiting }) => !waiting).length
    if (free <= 0 || context.stopping.aborted) return true
    for (const mailbox of await claimDueMailboxes(context.db, context.workerId, context.clock.now(), free)) {
      if (await isReadable(context, mailbox)) take(mailbox)
    }
    // Requests for an account that this process holds, and new mail for users who are present, come in at any time.
    return seen.size > 0 || held.size > 0 || leaked.size > 0
  })
  const ended = read.ended.then(async () => {
    for (const each of held.values()) each.stop()
    await Promise.allSettled([...held.values()].map((each) => each.ended))
  })
  return [{ ...read, ended }]
}

function keyOf({ user_id: userId, id }: { user_id: number; id: number }): string {
  return `${userId}/${id}`
}

function idling(held: ReadonlyMap<string, Held>, except: string): number {
  return [...held].filter(([key, { waiting }]) => waiting && key !== except).length
}

/** Users seen recently. The accounts of those who have just arrived are synced at once. */
async function presentUsers(context: Context, before: ReadonlySet<number>): Promise<Set<number>> {
  const now = context.clock.now()
  const present = new Set(await usersSeenSince(context.db, new Date(now.getTime() - SEEN_WITHIN_MS)))
  for (const userId of present) if (!before.has(userId)) await readUnlessPaused(context, userId, now)
  return present
}

/**
 * Compares the accounts this process holds with its claims in the table. An account that was taken away is stopped, one
 * with a new request is woken, and a leaked claim, which no session here knows of, is released.
 */
async function compareClaims(
  context: Context,
  held: ReadonlyMap<string, Held>,
  leaked: Set<string>,
): Promise<void> {
  const now = context.clock.now()
  const mine = await mailboxesReadBy(context.db, context.workerId)
  const keys = new Set(mine.map(keyOf))
  for (const [key, each] of held) if (!keys.has(key)) each.stop()
  for (const row of mine) {
    const key = keyOf(row)
    const holding = held.get(key)
    if (holding !== undefined) {
      leaked.delete(key)
      if (holding.waiting && row.next_read_at !== null && row.next_read_at <= now) holding.wake()
    } else if (leaked.delete(key)) {
      // The reply to a claim was lost together with the database connection.
      await releaseMailbox(context.db, row.user_id, row.id, context.workerId, now, null)
    } else leaked.add(key)
  }
}

/** Wakes the sessions of accounts with due actions; an account that nobody holds is claimed by the next free worker. */
async function wakeForDueActions(context: Context, held: ReadonlyMap<string, Held>): Promise<void> {
  const now = context.clock.now()
  const due = [
    ...(await accountsWithDueActions(context.db, now, ACCOUNTS_AT_ONCE)),
    ...(await accountsWithDueDrafts(context.db, now, ACCOUNTS_AT_ONCE)),
  ]
  if (due.length === 0) return
  for (const { userId, mailboxId } of due) {
    const holding = held.get(keyOf({ user_id: userId, id: mailboxId }))
    if (holding?.waiting === true) holding.push()
  }
  await readForActions(context.db, due, now)
}

/** False for accounts that cannot or should not be read; they are released for a while. */
async function isReadable(context: Context, mailbox: Mailbox): Promise<boolean> {
  const user = await findUser(context.db, mailbox.user_id)
  if (user?.is_active === true && hasImap(mailbox)) return true
  const later = new Date(context.clock.now().getTime() + UNREADABLE_RETRY_MS)
  await releaseMailbox(context.db, mailbox.user_id, mailbox.id, context.workerId, later, null)
  return false
}
