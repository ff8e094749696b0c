import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop } from '../../platform/jobs/loop.ts'
import { resetAfterPractice } from './hold-sequence.ts'
import { runDue } from './run-due.ts'
import { takeWork } from './take-work.ts'

// What other domains may use of sequences.
export { sequenceRoutes } from './routes.ts'
export { judgeSequenceMails } from './judge-sequence-mails.ts'
export { pauseRestoredSequences, pauseSequences } from './hold-sequence.ts'
export { plannedSteps } from './show-contact.ts'

const LOOK_EVERY_MS = 1000

/** The background loops of sequences. What stops somebody is looked at before what is due. */
export function startSequenceLoops(context: Context): Loop[] {
  return [
    startDueLoop(context, 'run sequences', LOOK_EVERY_MS, async () => {
      await resetAfterPractice(context)
      do {
        await takeWork(context)
      } while (await runDue(context))
    }),
  ]
}
