import type { Context } from '../../platform/context.ts'
import type { ModelFailure } from '../../platform/gateways/language-model.ts'
import { dayAndTime } from '../automatic-mail/automatic-mail.ts'
import { type BatchRow, noteModelFailures } from './store.ts'

/** How long a run waits for its model after each failure in a row; the last holds from then on. */
const PAUSES_MS = [5000, 15_000, 60_000, 5 * 60_000]
/** What comes sooner than this is not told by the clock. */
const SOON_MS = 60_000

/** Why a mail is from the template although there is a model. */
export const CHOSEN = 'You chose to go on without the language model.'

/** Lets a run wait for its model: for as long as its server says, or else longer after each failure in a row. */
export async function waitForModel(
  context: Context,
  batch: BatchRow,
  failure: ModelFailure,
  failures: number,
): Promise<void> {
  const pause = failure.waitMs ?? PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0
  const askAgainAt = new Date(context.clock.now().getTime() + pause)
  await noteModelFailures(context.db, batch, { failures, sentence: sentenceOf(failure), askAgainAt })
  await context.live.publish(context.db, batch.user_id, { topic: 'outreach' })
}

/** Notes that the model has answered again. */
export async function goOnWithModel(context: Context, batch: BatchRow): Promise<void> {
  await noteModelFailures(context.db, batch, { failures: 0, sentence: '', askAgainAt: null })
  await context.live.publish(context.db, batch.user_id, { topic: 'outreach' })
}

/** Why a run waits for its model, and when it asks again, for its user. */
export function sayModelWait(
  { last_model_failure: why, look_again_at: at }: BatchRow,
  now: Date,
  zone: string,
): string {
  const isSoon = at === null || at.getTime() - now.getTime() < SOON_MS
  return `${why} Your emails wait for it. Howl tries again ${isSoon ? 'in a moment' : dayAndTime(at, now, zone)}.`
}

function sentenceOf({ kind, status, words }: ModelFailure): string {
  if (status !== null) return `The language model says: ${words.replace(/[.!\s]+$/, '')}.`
  if (kind === 'slow') return 'The language model takes too long to answer.'
  return `The language model can't be reached (${words.replace(/\.$/, '')}).`
}
