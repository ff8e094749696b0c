import { setImmediate as breath } from 'node:timers/promises'
import { goOnWithAiRequest, noteUsage } from '../../models/ai-requests/ai-requests.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { TooManyRequests } from '../../platform/errors.ts'
import type { ModelUsage } from '../../platform/gateways/language-model.ts'
import type { UserModel } from '../../models/language-models/language-models.ts'

/** Mails written in one transaction, from the template and by the model. */
export const TEMPLATE_CHUNK = 500
export const MODEL_CHUNK = 12
/** Mails written ahead of sending: enough to keep every connection busy, few enough to pause and withdraw. */
export const AHEAD = 2000
/** Simultaneous requests to the model. */
const MODEL_AT_ONCE = 4
/** Other work of this process waits no longer than this many templates take. */
const WRITTEN_A_BREATH = 10

/** What writes mails for a long time: a run, or a day of follow-ups. */
export type LongWork = {
  userId: number
  model: UserModel
  kind: 'run' | 'day'
  tokensUsed: number
  /** Locks it, and says which AI request it counts on; `isOver`: nothing more is written. */
  lock(tx: Tx): Promise<{ useId: number | null; isOver: boolean }>
  noteUse(tx: Tx, useId: number): Promise<unknown>
  noteTokens(tx: Tx, tokens: number): Promise<unknown>
}

/** The AI request that the next mails count on, one for all of them; or why they are written without a model. */
export async function modelUse(
  context: Context,
  work: LongWork,
): Promise<{ useId: number | null; without: string | null }> {
  const { userId, model, kind } = work
  if (!model.available) return { useId: null, without: 'No language model is set up.' }
  if (work.tokensUsed >= context.config.modelTokensPerRun)
    return { useId: null, without: `This ${kind}'s budget for the language model is used up.` }
  const purpose = kind === 'run' ? 'outreach' : 'follow_up'
  try {
    const useId = await inTransaction(context.db, async (tx) => {
      // Two drivers never spend twice.
      const { useId: id, isOver } = await work.lock(tx)
      if (isOver) return id
      const use = await goOnWithAiRequest(context, tx, { userId, id }, purpose, model)
      if (use !== id) await work.noteUse(tx, use)
      return use
    })
    return { useId, without: null }
  } catch (error) {
    if (error instanceof TooManyRequests) return { useId: null, without: error.message }
    throw error
  }
}

/** Writes to many, a few at once. What the model has written is paid for, also when it is interrupted. */
export async function writeMany<To>(
  context: Context,
  { userId, model, noteTokens }: LongWork,
  useId: number | null,
  all: readonly To[],
  write: (to: To, onUsage: (usage: ModelUsage) => void) => Promise<void>,
): Promise<void> {
  const used = { inputTokens: 0, outputTokens: 0 }
  const onUsage = ({ inputTokens, outputTokens }: ModelUsage) => {
    used.inputTokens += inputTokens
    used.outputTokens += outputTokens
  }
  const begun = performance.now()
  const queue = [...all]
  const takeNext = async () => {
    for (let to = queue.shift(); to !== undefined; to = queue.shift()) {
      // Templates cost only processor time: connections that send must not wait for hundreds of them.
      if (queue.length % WRITTEN_A_BREATH === 0) await breath()
      await write(to, onUsage)
    }
  }
  try {
    await Promise.all(Array.from({ length: MODEL_AT_ONCE }, takeNext))
  } finally {
    const tokens = used.inputTokens + used.outputTokens
    const milliseconds = performance.now() - begun
    if (tokens > 0)
      await inTransaction(context.db, async (tx) => {
        await noteTokens(tx, tokens)
        if (useId !== null)
          await noteUsage(context, tx, { userId, id: useId, model }, { ...used, milliseconds })
      })
  }
}
