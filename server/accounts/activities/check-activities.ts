import type { ChainReport } from '#contract/accounts/activities.ts'
import type { Context } from '../../platform/context.ts'
import { saveCheck } from './chain-store.ts'
import { checkChain, type CheckContext } from './check-chain.ts'

/** {@link checkChain}, and keeps when it was done and how it ended. */
export async function checkActivities(context: CheckContext & Pick<Context, 'clock'>): Promise<ChainReport> {
  const report = await checkChain(context)
  const { ok: is_whole, checked } = report
  await saveCheck(context.db, { checked_at: context.clock.now(), is_whole, checked })
  return report
}
