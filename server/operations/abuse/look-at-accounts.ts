import { networkOf } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { isPublicAddress } from '../../platform/security/addresses.ts'
import {
  addressesOf,
  friendsOfInviters,
  invitationsOf,
  openedAccounts,
  unconfirmedAmong,
  unusedAmong,
} from './log-facts-store.ts'
import { noteFindings } from './note-findings.ts'
import { suspectsAmong } from './patterns-store.ts'
import { ACCOUNT_RULES, FRIEND_RULES, INVITATION_RULES } from './rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** So long somebody has to confirm the address and to begin. */
const TIME_TO_BEGIN_MS = DAY_MS
/** What happened within this time is looked at again: by then it is known what became of it. */
const AGAIN_MS = TIME_TO_BEGIN_MS + 26 * HOUR_MS
/** So many accounts of a network within a week are looked at. */
const ACCOUNTS_AT_LEAST = 5
/** A network that several friends share, whoever invited them. */
const FRIENDS_OF_ONE_NETWORK = 3

/** Looks for accounts of one network that nobody confirms, and nobody uses. */
export async function lookAtAccounts({ db }: Context, now: Date): Promise<void> {
  // Behind a proxy that does not say who calls, all come from one address, which is not public.
  const opened = (await openedAccounts(db, new Date(now.getTime() - 7 * DAY_MS))).filter(({ ip }) =>
    isPublicAddress(ip),
  )
  const news = new Date(now.getTime() - AGAIN_MS)
  const networks = Map.groupBy(opened, ({ ip }) => networkOf(ip)).values()
  for (const accounts of networks) {
    if (accounts.length < ACCOUNTS_AT_LEAST || !accounts.some(({ at }) => at > news)) continue
    const ids = accounts.map(({ userId }) => userId)
    const unused = await unusedAmong(db, ids, new Date(now.getTime() - TIME_TO_BEGIN_MS))
    const doubtful = await unconfirmedAmong(db, [...unused])
    if (doubtful.size < ACCOUNTS_AT_LEAST) continue
    const facts = {
      opened: accounts.length,
      doubtful: accounts.filter(({ userId }) => doubtful.has(userId)).map(({ at }) => at),
    }
    await inTransaction(db, async (tx) => {
      const suspects = await suspectsAmong(tx, [...doubtful])
      await noteFindings(
        tx,
        ACCOUNT_RULES,
        suspects.map((suspect) => ({ suspect, facts })),
        now,
      )
    })
  }
}

/** Looks for credits that somebody earns by friends who are none. */
export async function lookAtFriends({ db, config }: Context, now: Date): Promise<void> {
  const month = new Date(now.getTime() - 30 * DAY_MS)
  const friends = await friendsOfInviters(db, month, new Date(now.getTime() - AGAIN_MS))
  for (const [inviterId, own] of Map.groupBy(friends, (friend) => friend.inviterId)) {
    const ids = own.map(({ friendId }) => friendId)
    const unused = await unusedAmong(db, ids, new Date(now.getTime() - TIME_TO_BEGIN_MS))
    if (unused.size === 0) continue
    const networks = networksOf(await addressesOf(db, [inviterId, ...ids]))
    const isShared = (friendId: number) =>
      [...(networks.get(friendId) ?? [])].some(
        (network) =>
          networks.get(inviterId)?.has(network) === true ||
          ids.filter((other) => networks.get(other)?.has(network) === true).length >= FRIENDS_OF_ONE_NETWORK,
      )
    // Without system mail nobody can confirm.
    const unconfirmed = config.systemSmtp === null ? new Set() : await unconfirmedAmong(db, [...unused])
    const facts = {
      friends: own.map(({ friendId, at }) => ({
        at,
        isDoubtful: unconfirmed.has(friendId) || (unused.has(friendId) && isShared(friendId)),
      })),
    }
    await inTransaction(db, async (tx) => {
      const suspects = await suspectsAmong(tx, [inviterId])
      await noteFindings(
        tx,
        FRIEND_RULES,
        suspects.map((suspect) => ({ suspect, facts })),
        now,
      )
    })
  }
}

function networksOf(addresses: readonly { userId: number; ip: string }[]): Map<number, Set<string>> {
  const networks = new Map<number, Set<string>>()
  for (const { userId, ip } of addresses) {
    if (!isPublicAddress(ip)) continue
    const own = networks.get(userId) ?? new Set()
    own.add(networkOf(ip))
    networks.set(userId, own)
  }
  return networks
}

/** Looks for invitations that go to nobody. */
export async function lookAtInvitations({ db }: Context, now: Date): Promise<void> {
  const week = new Date(now.getTime() - 7 * DAY_MS)
  const invitations = await invitationsOf(db, week, new Date(now.getTime() - AGAIN_MS))
  const byUser = Map.groupBy(invitations, ({ userId }) => userId)
  if (byUser.size === 0) return
  await inTransaction(db, async (tx) => {
    const suspects = await suspectsAmong(tx, [...byUser.keys()])
    await noteFindings(
      tx,
      INVITATION_RULES,
      suspects.map((suspect) => ({ suspect, facts: { invitations: byUser.get(suspect.id) ?? [] } })),
      now,
    )
  })
}
