import { randomBytes } from 'node:crypto'
import {
  ACTIVITY_DESCRIPTION_MAX,
  ACTIVITY_LABELS,
  type ActivityType,
} from '#contract/accounts/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import { addActivity, nextActivity } from './activities-store.ts'
import { FAILURES, FAILURES_LOOKED_AT, networkOf, riskOf, TELLING_PLACE } from './risk-rules.ts'
import { sealsOf } from './seals.ts'
import { inTransaction } from '../../platform/database/transaction.ts'

/** Something that happened. */
export type NewActivity = {
  type: ActivityType
  /** Whose account it is; null when nobody has proved who they are, and for acts without an account. */
  user: number | null
  /** Null for what Howl does by itself, and for commands of the operator. */
  origin: { ip: string } | null
  /**
   * What else there is to know: a name of a file, a count. Never a password, a code, a token, or what was typed for one. Other
   * people than `user` appear by their id: only `user`'s own rows are erased with the account.
   */
  detail?: string
}

/** What writing an activity needs; commands of the operator have no more. */
export type NoteContext = Pick<Context, 'secrets' | 'clock'>

const HOUR_MS = 3_600_000

/**
 * Adds to the activity log. Called in the transaction of what it tells of, it is there if and only if that commits. The row
 * is sealed at once; the linker puts it into the chain.
 */
export async function noteActivity(context: NoteContext, db: Queryable, activity: NewActivity) {
  const { type, user } = activity
  const created_at = context.clock.now()
  const ip_address = activity.origin?.ip ?? null
  const before = await nextActivity(db, {
    user,
    ip: ip_address,
    failures: FAILURES.includes(type) || TELLING_PLACE.includes(type) ? FAILURES : [],
    since: new Date(created_at.getTime() - HOUR_MS),
    max: FAILURES_LOOKED_AT,
    places: TELLING_PLACE.includes(type),
  })
  const known = before.ips.map(networkOf)
  const risk_score = riskOf(type, {
    failuresBefore: before.failures,
    isNewNetwork: ip_address !== null && known.length > 0 && !known.includes(networkOf(ip_address)),
  })
  const person = { user_id: user, ip_address, description: describe(activity) }
  const salt = randomBytes(16)
  const seals = sealsOf(context)
  const person_digest = seals.personDigest(salt, person)
  const row = { id: before.id, activity_type: type, risk_score, created_at, person_digest }
  await addActivity(db, { ...row, ...person, salt, seal: seals.rowSeal(row) })
}

function describe({ type, detail = '' }: NewActivity): string {
  const label = ACTIVITY_LABELS[type]
  return storableText((detail === '' ? label : `${label}: ${detail}`).slice(0, ACTIVITY_DESCRIPTION_MAX))
}

const MINUTE_MS = 60_000
/** Denied tries written down in a minute: of one place at one call, and of all. Who is refused must not fill the log. */
const OF_ONE_A_MINUTE = 5
const OF_ALL_A_MINUTE = 300

type DeniedTry = {
  status: number
  /** "GET /api/v1/admin/users". */
  call: string
  isAdminCall: boolean
  user: number | null
  origin: { ip: string; place: string }
}

/** Writes down who was denied something, a few times a minute for each. */
export function deniedTries(context: Context): (denied: DeniedTry) => Promise<void> {
  let minute = { begun: 0, all: 0, of: new Map<string, number>() }
  return async ({ status, call, isAdminCall, user, origin }) => {
    const now = context.clock.now().getTime()
    if (now - minute.begun >= MINUTE_MS) minute = { begun: now, all: 0, of: new Map() }
    const who = `${user ?? origin.place} ${status} ${call}`
    const count = (minute.of.get(who) ?? 0) + 1
    minute.of.set(who, count)
    const most = status === 429 ? 1 : OF_ONE_A_MINUTE
    if (count > most || minute.all >= OF_ALL_A_MINUTE) return
    minute.all += 1
    const type = status === 429 ? 'limit_reached' : isAdminCall ? 'admin_refused' : 'refused'
    await inTransaction(context.db, (tx) =>
      noteActivity(context, tx, { type, user, origin, detail: status === 429 ? call : `${status} ${call}` }),
    )
  }
}
