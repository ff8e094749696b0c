import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { noteActivity } from './note-activity.ts'

const MINUTE_MS = 60_000
/** Denied tries written down in a minute: of one place at one call, and of all. Who is refused must not fill the log. */
const OF_ONE_A_MINUTE = 5
const OF_ALL_A_MINUTE = 300

export type DeniedTry = {
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
