import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop, startLoop } from '../../platform/jobs/loop.ts'
import { clearActivities } from './clear-activities.ts'
import { ANCHOR_EVERY_MS, keepAnchor, linkActivities, newLinker } from './link-activities.ts'

/** Until its link is there, a row can be removed without a trace. */
const LINK_EVERY_MS = 1000
const CLEAR_EVERY_MS = 60 * 60_000

/** Starts linking what is added to the activity log, and clearing what is old. */
export function startActivityLoops(context: Context): Loop[] {
  const linker = newLinker(context)
  return [
    startDueLoop(context, 'link activities', LINK_EVERY_MS, async () =>
      linkActivities(context, await linker),
    ),
    startLoop(context, 'keep the end of the activity log', ANCHOR_EVERY_MS, async () =>
      keepAnchor(context, await linker),
    ),
    startLoop(context, 'clear activities', CLEAR_EVERY_MS, async () => void (await clearActivities(context))),
  ]
}
