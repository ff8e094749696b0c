import type { ActivityType } from '#contract/accounts/activities.ts'
import { networkOf } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { notifyAdministrators } from '../../accounts/notifications/notifications.ts'
import { isPublicAddress } from '../../platform/security/addresses.ts'
import type { DoorFacts } from './facts.ts'
import {
  entriesSince,
  isAnythingNoted,
  type LogEntry,
  type SignedIn,
  signedInFrom,
  stoppedCalls,
} from './log-facts-store.ts'
import { noteFindings } from './note-findings.ts'
import { suspectsAmong } from './patterns-store.ts'
import { CALL_RULES, DOOR_RULES, type Rule } from './rules.ts'

const DAY_MS = 86_400_000
/** Who signed in from an address within so many days may be the one who tries. */
const SIGNED_IN_DAYS = 7

const LOG_INS: readonly ActivityType[] = ['log_in_failed', 'admin_log_in_failed']
const CODES: readonly ActivityType[] = ['admin_code_failed', 'admin_claim_failed', 'password_reset_failed']
// Not 'limit_reached': that a call was stopped says nothing of a name or a code that was tried.
const DOORS: readonly ActivityType[] = [...LOG_INS, ...CODES]
const ADMIN_CODES: readonly ActivityType[] = ['admin_code_failed', 'admin_claim_failed']

/**
 * Looks for whoever tries the doors of other people. A user is blamed for what is tried from an address that only this user
 * signs in from. Of all other tries administrators are told, by the network.
 */
export async function lookAtDoors(context: Context, now: Date, news: Date): Promise<void> {
  const { db } = context
  if (!(await isAnythingNoted(db, DOORS, news))) return
  const entries = await entriesSince(db, DOORS, new Date(now.getTime() - DAY_MS))
  for (const [network, tries] of Map.groupBy(entries, ({ ip }) => networkOf(ip))) {
    if (!tries.some(({ at }) => at > news)) continue
    const ips = [...new Set(tries.map(({ ip }) => ip))]
    const signedIn = await signedInFrom(db, ips, new Date(now.getTime() - SIGNED_IN_DAYS * DAY_MS))
    const blamed = new Map(ips.map((ip) => [ip, blamedFor(ip, tries, signedIn)]))
    await inTransaction(db, async (tx) => {
      const suspects = await suspectsAmong(
        tx,
        [...blamed.values()].filter((id) => id !== null),
      )
      const triesOf = (userId: number) => tries.filter(({ ip }) => blamed.get(ip) === userId)
      const own = suspects.map((suspect) => ({
        suspect,
        facts: withoutOwn(factsOf(triesOf(suspect.id), signedIn), suspect.id),
      }))
      await noteFindings(tx, DOOR_RULES, own, now)
      const isSuspect = new Set<number | null>(suspects.map(({ id }) => id))
      const others = tries.filter(({ ip }) => !isSuspect.has(blamed.get(ip) ?? null))
      await tellOfNetwork(context, tx, { network, facts: factsOf(others, signedIn), now })
    })
  }
}

/** Whom tries from this address are blamed on; null if that cannot be told. */
function blamedFor(ip: string, tries: readonly LogEntry[], signedIn: readonly SignedIn[]): number | null {
  // Behind a proxy that does not say who calls, or in a house's own network, an address tells nobody apart.
  if (!isPublicAddress(ip)) return null
  const [suspect = null, ...others] = suspectsOf(
    tries,
    signedIn.filter((each) => each.ip === ip),
  )
  return others.length === 0 ? suspect : null
}

/** Those who signed in from there, and did not only get in by guessing. */
function suspectsOf(tries: readonly LogEntry[], signedIn: readonly SignedIn[]): number[] {
  const firstTry = new Map<number, Date>()
  for (const { userId, at } of tries) {
    if (userId === null) continue
    const before = firstTry.get(userId)
    if (before === undefined || at < before) firstTry.set(userId, at)
  }
  return signedIn.flatMap(({ userId, first }) => {
    const tried = firstTry.get(userId)
    return tried !== undefined && tried < first ? [] : [userId]
  })
}

type OwnedFacts = {
  logIns: DoorFacts['logIns']
  codes: (DoorFacts['codes'][number] & { userId: number | null })[]
}

function factsOf(tries: readonly LogEntry[], signedIn: readonly SignedIn[]): OwnedFacts {
  const lastIn = new Map<number, Date>()
  for (const { userId, last } of signedIn)
    if (last > (lastIn.get(userId) ?? new Date(0))) lastIn.set(userId, last)
  // Who got in after all knows the password.
  const gotIn = ({ userId, at }: LogEntry) => userId !== null && (lastIn.get(userId) ?? new Date(0)) > at
  return {
    logIns: tries.filter((each) => isLogIn(each) && !gotIn(each)).map(({ userId, at }) => ({ userId, at })),
    codes: tries
      .filter((each) => !isLogIn(each))
      .map(({ type, userId, at }) => ({ userId, at, isAdmin: ADMIN_CODES.includes(type) })),
  }
}

const isLogIn = ({ type }: LogEntry): boolean => LOG_INS.includes(type)

/** Who forgets their own password tries nobody else's door. */
function withoutOwn({ logIns, codes }: OwnedFacts, userId: number): DoorFacts {
  return {
    logIns: logIns.filter((each) => each.userId !== userId),
    codes: codes.filter((each) => each.userId !== userId),
  }
}

/** Nobody can be named: administrators are told of the network. */
async function tellOfNetwork(
  context: Context,
  tx: Tx,
  { network, facts, now }: { network: string; facts: DoorFacts; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  const worst = DOOR_RULES.map((rule: Rule<DoorFacts>) => ({
    rule,
    level: rule.levels.findLast(({ from }) => rule.measure(facts, since) >= from),
  })).toSorted((one, other) => (other.level?.severity ?? 0) - (one.level?.severity ?? 0))[0]
  if (worst?.level === undefined) return
  const { type } = worst.rule
  await notifyAdministrators(context, tx, {
    topic: `network ${network} ${type} ${now.toISOString().slice(0, 10)}`,
    title: type === 'code_sweep' ? 'Somebody guesses codes' : 'Somebody guesses passwords',
    message: `${worst.rule.measure(facts, since)} ${type === 'code_sweep' ? 'codes or links' : 'accounts'} were tried within a day from the network of ${network}. No account that is used from there can be named. Limits slow this down; User Activities shows each try.`,
    priority: worst.level.severity,
  })
}

/** Looks for programs that go on calling although a limit stops them. */
export async function lookAtCalls({ db }: Context, now: Date, news: Date): Promise<void> {
  const found = await stoppedCalls(db, new Date(now.getTime() - DAY_MS), news)
  if (found.length === 0) return
  const stopped = new Map(found.map((each) => [each.userId, each]))
  await inTransaction(db, async (tx) => {
    const suspects = await suspectsAmong(tx, [...stopped.keys()])
    await noteFindings(
      tx,
      CALL_RULES,
      suspects.map((suspect) => ({ suspect, facts: { stopped: stopped.get(suspect.id)?.stopped ?? [] } })),
      now,
    )
  })
}
