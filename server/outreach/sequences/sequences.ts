import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop, startLoop } from '../../platform/jobs/loop.ts'
import { resetAfterPractice } from './hold-sequence.ts'
import { runDue } from './run-due.ts'
import { takeBackLate } from './take-back-late.ts'
import { takeWork } from './take-work.ts'

// What other domains may use of sequences.
export { sequenceRoutes } from './routes.ts'
export { pauseRestoredSequences, pauseSequences } from './hold-sequence.ts'
export { planOfSequences } from './show-contact.ts'

const LOOK_EVERY_MS = 1000
const LOOK_FOR_LATE_EVERY_MS = 20_000

/** The background loops of sequences. What stops somebody is looked at before what is due. */
export function startSequenceLoops(context: Context): Loop[] {
  return [
    startDueLoop(context, 'run sequences', LOOK_EVERY_MS, async () => {
      await resetAfterPractice(context)
      do {
        await takeWork(context)
      } while (await runDue(context))
    }),
    startLoop(context, 'take back late mails of sequences', LOOK_FOR_LATE_EVERY_MS, () =>
      takeBackLate(context),
    ),
  ]
}
