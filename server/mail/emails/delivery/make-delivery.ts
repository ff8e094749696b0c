import type { Context } from '../../../platform/context.ts'
import type { JournalFile } from '../../../platform/gateways/journal-file.ts'
import type { ConnectionLimits, Delivery, GroupMail } from '../../../platform/jobs/delivery.ts'
import { makeSendLoad } from '../../../platform/jobs/send-load.ts'
import { makeSettlementWriter } from './settlement-writer.ts'

/** Connections to one account. Most providers allow 10 to 20; if one allows fewer, the surplus connections end quietly. */
const CONNECTIONS_MAX = 10
/** How long a lower limit is remembered. */
const REMEMBERED_MS = 60 * 60_000

/** The delivery member of a process's context. */
export function makeDelivery(
  context: Pick<Context, 'db' | 'log' | 'workerId' | 'memory'>,
  journal: JournalFile,
  groupMail: GroupMail,
): Delivery {
  return {
    journal,
    load: makeSendLoad(),
    groupMail,
    settlementWriter: makeSettlementWriter(context, journal),
    connectionLimits: makeConnectionLimits(),
    leakSuspects: new Map(),
  }
}

/** Connection limits that nothing is known about yet. */
function makeConnectionLimits(): ConnectionLimits {
  const lowered = new Map<number, { connections: number; until: number }>()
  return {
    of: (mailboxId) => {
      const found = lowered.get(mailboxId)
      if (found === undefined) return CONNECTIONS_MAX
      if (found.until > Date.now()) return found.connections
      lowered.delete(mailboxId)
      return CONNECTIONS_MAX
    },
    lower: (mailboxId, connections) =>
      void lowered.set(mailboxId, {
        connections: Math.max(connections, 1),
        until: Date.now() + REMEMBERED_MS,
      }),
  }
}
