import type { Context } from '../../../platform/context.ts'
import type { JournalFile } from '../../../platform/gateways/journal-file.ts'
import type { Delivery } from '../../../platform/jobs/delivery.ts'
import { makeSendLoad } from '../../../platform/jobs/send-load.ts'
import { makeConnectionLimits } from './connection-limit.ts'
import { makeSettlementWriter } from './settlement-writer.ts'

/** The delivery member of a process's context. */
export function makeDelivery(
  context: Pick<Context, 'db' | 'log' | 'workerId' | 'memory'>,
  journal: JournalFile,
): Delivery {
  return {
    journal,
    load: makeSendLoad(),
    settlementWriter: makeSettlementWriter(context, journal),
    connectionLimits: makeConnectionLimits(),
    leakSuspects: new Map(),
  }
}
