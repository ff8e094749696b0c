import type { Context } from '../../platform/context.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { MAIL_DAYS } from './facts.ts'
import { lookForAbuse } from './look-for-abuse.ts'
import { removeOldFacts } from './patterns-store.ts'

const LOOK_EVERY_MS = 20_000
const CLEAR_EVERY_MS = 60 * 60_000
const DAY_MS = 86_400_000

/** Starts looking for abuse, and clearing facts away that are too old to count. */
export function startAbuseLoops(context: Context): Loop[] {
  return [
    startLoop(context, 'look for abuse', LOOK_EVERY_MS, () => lookForAbuse(context)),
    startLoop(context, 'clear facts of abuse', CLEAR_EVERY_MS, () =>
      removeOldFacts(context.db, new Date(context.clock.now().getTime() - MAIL_DAYS * DAY_MS)),
    ),
  ]
}
