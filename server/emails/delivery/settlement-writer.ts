import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { recordAcceptance } from './acceptance-journal.ts'
import { type ClaimKey, type Settlement, settleAndMark } from './settlements-store.ts'

/**
 * Writes down what happens to mails. All connections of a process share it: while one write is under way the next
 * ones gather and go together, so that many connections cost few commits.
 */
export type SettlementWriter = {
  /** Notes how an attempt ended. Resolves when it is committed. */
  settle(settlement: Settlement): Promise<void>
  /**
   * Notes that a mail's final dot is next, and before it how the same connection's previous mail ended: so at most one
   * accepted mail a connection is ever unrecorded. False when the claim is lost and the dot must not be written.
   */
  mark(mark: ClaimKey, previous: Settlement | null): Promise<boolean>
  /** Tells of a connection that is about to send. */
  join(): Seat
}

/** A connection's own place at the ledger. */
export type Seat = {
  /** Notes at once, on the disk, that the server took a mail; how the attempt ended is settled all the same. */
  took(settlement: Settlement): void
  /** The connection sends no more. */
  leave(): void
}

type Entry = {
  settlement: Settlement | null
  mark: ClaimKey | null
  done: (marked: boolean) => void
  fail: (error: unknown) => void
}

/** A database that restarts is waited for this long; what was accepted must be written down. */
const PATIENCE_MS = 10 * 60_000
const TRY_EVERY_MS = 200
/** A write waits this long for the other connections to have something to be written too. */
const GATHER_MS = 1

const ledgers = new WeakMap<Context, SettlementWriter>()

/** The process's ledger. */
export function settlementWriterOf(context: Context): SettlementWriter {
  const known = ledgers.get(context)
  if (known !== undefined) return known
  const made = openLedger(context)
  ledgers.set(context, made)
  return made
}

function openLedger(context: Context): SettlementWriter {
  let waiting: Entry[] = []
  let writing = false
  const seats = new Set<number>()
  let complete: (() => void) | undefined

  /** Waits a moment for the other lanes: one commit for all costs what a commit for one does. */
  const gathered = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      complete = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const write = async () => {
    writing = true
    while (waiting.length > 0) {
      if (waiting.length < seats.size) await gathered()
      const batch = waiting
      waiting = []
      try {
        const marked = await patiently(context, batch)
        for (const { mark, done } of batch) done(mark !== null && marked.has(mark.emailId))
      } catch (error) {
        for (const { fail } of batch) fail(error)
      }
    }
    writing = false
  }

  const enter = (settlement: Settlement | null, mark: ClaimKey | null) =>
    new Promise<boolean>((done, fail) => {
      waiting.push({ settlement, mark, done, fail })
      if (!writing) void write()
      else if (waiting.length >= seats.size) complete?.()
    })

  return {
    settle: async (settlement) => void (await enter(settlement, null)),
    mark: (mark, previous) => enter(previous, mark),
    join: () => {
      let place = 0
      while (seats.has(place)) place += 1
      seats.add(place)
      return {
        took: (settlement) => recordAcceptance(context, place, settlement),
        leave: () => void seats.delete(place),
      }
    },
  }
}

async function patiently(context: Context, batch: readonly Entry[]): Promise<Set<number>> {
  const settlements = batch.flatMap((entry) => entry.settlement ?? [])
  const marks = batch.flatMap((entry) => entry.mark ?? [])
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await settleAndMark(context.db, context.workerId, settlements, marks)
    } catch (error) {
      if (Date.now() > until || !mayPass(error)) throw error
      context.log.warn(
        { err: error, mails: batch.length },
        'what was sent cannot be written down yet; it is tried again',
      )
      await pause(TRY_EVERY_MS)
    }
  }
}

/** Everything may pass later but what is wrong with the statement itself: SQLSTATE classes 22, 23 and 42. */
function mayPass(error: unknown): boolean {
  return !/^(22|23|42)[0-9A-Z]{3}$/.test((error as { code?: string }).code ?? '')
}
