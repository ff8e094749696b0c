import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import type { JournalFile } from '../../../platform/gateways/journal-file.ts'
import type { ClaimKey, Settlement, SettlementWriter } from '../../../platform/jobs/delivery.ts'
import { makeAcceptanceRecorder } from './acceptance-journal.ts'
import { settleAndMark } from './settlements-store.ts'

type World = Pick<Context, 'db' | 'log' | 'workerId' | 'memory'>

/** What one connection wants written, and how it learns of the result. */
type Entry = {
  settlement: Settlement | null
  mark: ClaimKey | null
  done: (isMarked: boolean) => void
  fail: (error: unknown) => void
}

/** How long to wait for a database that restarts: what a server has accepted must be written down. */
const PATIENCE_MS = 10 * 60_000
const RETRY_MS = 200
/** How long a write waits for the other connections to have something to write too. */
const GATHER_MS = 1

/** The settlement writer of a process. Each of its connections has its own slot in `journal`. */
export function makeSettlementWriter(world: World, journal: JournalFile): SettlementWriter {
  let waiting: Entry[] = []
  let isWriting = false
  const slots = new Set<number>()
  const recordAcceptance = makeAcceptanceRecorder(journal, world.log)
  let endGathering: (() => void) | undefined

  /** Waits a moment for the other connections: one commit for all of them costs as much as one for a single email. */
  const gather = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      endGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const writeAll = async () => {
    isWriting = true
    while (waiting.length > 0) {
      if (waiting.length < slots.size) await gather()
      const batch = waiting
      waiting = []
      try {
        const marked = await writeWithRetry(world, batch)
        countSettled(world, batch)
        for (const { mark, done } of batch) done(mark !== null && marked.has(mark))
      } catch (error) {
        for (const { fail } of batch) fail(error)
      }
    }
    isWriting = false
  }

  const add = (settlement: Settlement | null, mark: ClaimKey | null) =>
    new Promise<boolean>((done, fail) => {
      waiting.push({ settlement, mark, done, fail })
      if (!isWriting) void writeAll()
      else if (waiting.length >= slots.size) endGathering?.()
    })

  return {
    settle: async (settlement) => void (await add(settlement, null)),
    mark: (claim, previous) => add(previous, claim),
    addConnection: () => {
      let slot = 0
      while (slots.has(slot)) slot += 1
      slots.add(slot)
      return {
        recordAcceptance: (settlement) => recordAcceptance(slot, settlement),
        remove: () => void slots.delete(slot),
      }
    },
  }
}

function countSettled({ memory }: World, batch: readonly Entry[]): void {
  for (const { settlement } of batch)
    if (settlement !== null) memory.metrics.count('howl_mails_total', { outcome: settlement.state })
}

async function writeWithRetry({ db, log, workerId }: World, batch: readonly Entry[]) {
  const settlements = batch.flatMap((entry) => entry.settlement ?? [])
  const marks = batch.flatMap((entry) => entry.mark ?? [])
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await settleAndMark(db, workerId, settlements, marks)
    } catch (error) {
      if (Date.now() > until || !isTransient(error)) throw error
      log.warn({ err: error, mails: batch.length }, 'delivery results could not be written yet; trying again')
      await pause(RETRY_MS)
    }
  }
}

/** Any error may be gone later, except one in the statement itself: SQLSTATE classes 22, 23 and 42. */
function isTransient(error: unknown): boolean {
  return !/^(22|23|42)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '')
}
