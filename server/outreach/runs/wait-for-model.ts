import type { Context } from '../../platform/context.ts'
import type { ModelFailure } from '../../platform/gateways/language-model.ts'
import { dayAndTime } from '../automatic-mail/automatic-mail.ts'
import { type BatchRow, noteModelFailures } from './store.ts'

/** How long a run waits for its model after each failure in a row; the last holds from then on. */
const PAUSES_MS = [5000, 15_000, 60_000, 5 * 60_000]
/** What comes sooner than this is not told by the clock. */
const SOON_MS = 60_000

/**
 * Notes how the model stands with a run. After a failure the run waits: for as long as the server says, or else longer after
 * each failure in a row. Without one it goes on.
 */
export async function noteModel(
  context: Context,
  batch: BatchRow,
  failure: ModelFailure | null,
  failures = 0,
): Promise<void> {
  const pause = failure?.waitMs ?? PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
  await noteModelFailures(context.db, batch, {
    failures,
    sentence: failure === null ? '' : sentenceOf(failure),
    askAgainAt: failure === null ? null : new Date(context.clock.now().getTime() + pause),
  })
  await context.live.publish(context.db, batch.user_id, { topic: 'outreach' })
}

/** Why a run waits for its model, and when it asks again, for its user. */
export function sayModelWait(
  { last_model_failure: why, look_again_at: at }: BatchRow,
  now: Date,
  zone: string,
): string {
  const isSoon = at === null || at.getTime() - now.getTime() < SOON_MS
  return `${why} Your emails will wait, and Howl tries again ${isSoon ? 'in a moment' : dayAndTime(at, now, zone)}.`
}

function sentenceOf({ kind, status, words, wantsPause }: ModelFailure): string {
  const inBrackets = `(${words.replace(/[.!\s]+$/, '')})`
  if (wantsPause) return `The language model is busy ${inBrackets}.`
  if (kind === 'slow') return 'The language model is taking too long to answer.'
  if (status !== null) return `The language model isn't working right now ${inBrackets}.`
  return `The language model can't be reached ${inBrackets}.`
}
