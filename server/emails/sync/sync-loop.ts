import { findUser, usersSeenSince } from '../../auth/auth.ts'
import type { Context } from '../../context.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import {
  claimDueMailboxes,
  hasImap,
  type Mailbox,
  mailboxesReadBy,
  readForActions,
  READING,
  readSoon,
  releaseMailbox,
} from '../../mailboxes/mailboxes.ts'
import { accountsWithDueDrafts } from './draft-appends-store.ts'
import { accountsWithDueActions } from './pending-actions-store.ts'
import { type Held, holdMailbox } from './mailbox-session.ts'

const LOOK_EVERY_MS = 300
/** Who is here is asked this often. */
const LOOK_FOR_USERS_EVERY_MS = 2000
/** A user who was seen within this time may be looking at his mail. */
const SEEN_WITHIN_MS = 5 * 60_000
/** Accounts that one process reads at once: one that hangs keeps its own place, not the others waiting. */
const READ_AT_ONCE = 8
/** Connections of one process that are held open, waiting for new mail. */
const WATCHED_MAX = 50
/** Accounts looked at in one go whose servers are to be told something. */
const ACCOUNTS_AT_ONCE = 1000
/** An account that cannot be read at all (no user, no settings) is looked at again after this. */
const REST_MS = 5 * 60_000

/** Starts the standing work of receiving: accounts that are due are read, those of users who are here are watched. */
export function startSyncing(context: Context): Loop[] {
  const held = new Map<string, Held>()
  const strays = new Set<string>()
  let seen = new Set<number>()
  let lookedAt = -Infinity

  const take = (mailbox: Mailbox) => {
    const key = keyOf(mailbox)
    const isWatched = () => seen.has(mailbox.user_id) && watched(held, key) < WATCHED_MAX
    const mine = holdMailbox(context, mailbox, isWatched)
    held.set(key, mine)
    void mine.ended.finally(() => {
      if (held.get(key) === mine) held.delete(key)
    })
  }

  const read = startLoop(context, READING, LOOK_EVERY_MS, async () => {
    if (performance.now() - lookedAt > LOOK_FOR_USERS_EVERY_MS) {
      lookedAt = performance.now()
      seen = await usersHere(context, seen)
    }
    await keepUp(context, held, strays)
    await haveActionsTold(context, held)
    const free = READ_AT_ONCE - [...held.values()].filter(({ waiting }) => !waiting).length
    if (free <= 0 || context.stopping.aborted) return
    for (const mailbox of await claimDueMailboxes(context.db, context.workerId, context.clock.now(), free)) {
      if (await isReadable(context, mailbox)) take(mailbox)
    }
  })
  const ended = read.ended.then(async () => {
    for (const each of held.values()) each.letGo()
    await Promise.allSettled([...held.values()].map((each) => each.ended))
  })
  return [{ ...read, ended }]
}

function keyOf({ user_id: userId, id }: { user_id: number; id: number }): string {
  return `${userId}/${id}`
}

function watched(held: ReadonlyMap<string, Held>, except: string): number {
  return [...held].filter(([key, { waiting }]) => waiting && key !== except).length
}

/** Who was seen lately. Accounts of those who have just come are read at once. */
async function usersHere(context: Context, before: ReadonlySet<number>): Promise<Set<number>> {
  const now = context.clock.now()
  const here = new Set(await usersSeenSince(context.db, new Date(now.getTime() - SEEN_WITHIN_MS)))
  for (const userId of here) if (!before.has(userId)) await readSoon(context.db, userId, now)
  return here
}

/**
 * Compares what this process holds with what the table says: an account that was taken away is let go, one that is asked
 * for is read, and one that the table says we hold and nobody here knows of is given back.
 */
async function keepUp(context: Context, held: ReadonlyMap<string, Held>, strays: Set<string>): Promise<void> {
  const now = context.clock.now()
  const mine = await mailboxesReadBy(context.db, context.workerId)
  const keys = new Set(mine.map(keyOf))
  for (const [key, each] of held) if (!keys.has(key)) each.letGo()
  for (const row of mine) {
    const key = keyOf(row)
    const holding = held.get(key)
    if (holding !== undefined) {
      strays.delete(key)
      if (holding.waiting && row.next_read_at !== null && row.next_read_at <= now) holding.wake()
    } else if (strays.delete(key)) {
      // The answer to a claim was lost with the database's connection.
      await releaseMailbox(context.db, row.user_id, row.id, context.workerId, now, null)
    } else strays.add(key)
  }
}

/** Wakes who holds an account whose server is to be told something; one that nobody holds is taken by the next who is free. */
async function haveActionsTold(context: Context, held: ReadonlyMap<string, Held>): Promise<void> {
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

/** False for accounts that nobody can or should read; they are given back for a while. */
async function isReadable(context: Context, mailbox: Mailbox): Promise<boolean> {
  const user = await findUser(context.db, mailbox.user_id)
  if (user?.is_active === true && hasImap(mailbox)) return true
  const later = new Date(context.clock.now().getTime() + REST_MS)
  await releaseMailbox(context.db, mailbox.user_id, mailbox.id, context.workerId, later, null)
  return false
}
