import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { runSql } from '../database/transaction.ts'
import type { Queryable } from '../database/handles.ts'
import { loopsWithDueWork, nextDue } from './due-store.ts'

/** Channel of NOTIFY that wakes loops, whichever process they run in. */
export const WORK_CHANNEL = 'howl_work'
/** Wakes every loop, for what may concern any of them. */
const EVERY_LOOP = '*'

/** From so many failed steps in a row on, a loop counts as failing. */
const FAILING_FROM = 3
/** The loop that finds work whose notification was lost. */
export const FINDING_LOST_WORK = 'find lost work'
/** How soon it does, about. */
export const LOST_FOUND_MS = 15_000
/** The longest time that a timer can be set for. */
const TIMER_MAX_MS = 2 ** 31 - 1

export type Loop = {
  name: string
  /** Runs the next step now. */
  wake(): void
  /** Resolves when the current step has ended; the context's `stopping` ends the loop. */
  ended: Promise<void>
}

/**
 * Calls `step` every `everyMs` or when woken, never concurrently, until the process stops. For work that nobody waits for. A step
 * that throws is logged and retried at the next interval: one fault must not end the work for good.
 */
export function startLoop(
  context: Context,
  name: string,
  everyMs: number,
  step: () => Promise<unknown>,
): Loop {
  const pauseMs = () => context.config.loopPause(everyMs)
  return run(context, name, { pauseMs, gapMs: () => 0 }, async () => {
    await step()
    return pauseMs()
  })
}

/**
 * Calls `step` when work of this name is due according to its view (`work_due_…`): when a NOTIFY of its triggers says so, or when the
 * next time in the view has come. Work that is due and that the step could not do is looked at again every `everyMs`, and so is
 * what `step` says true for: it knows of work that the view does not know. However often it is woken, it looks no more often.
 */
export function startDueLoop(
  context: Context,
  name: string,
  everyMs: number,
  step: () => Promise<boolean | void>,
): Loop {
  const { clock, config, db } = context
  const pauseMs = () => config.loopPause(everyMs)
  return run(context, name, { pauseMs, gapMs: pauseMs }, async () => {
    if ((await step()) === true) return pauseMs()
    const dueAt = await nextDue(db, name)
    const dueInMs = dueAt === null ? Infinity : dueAt.getTime() - clock.now().getTime()
    return Math.max(dueInMs, pauseMs())
  })
}

/** Runs `round` again and again, after as many milliseconds as it says or when woken, but never within `gapMs` of the last time. */
function run(
  context: Context,
  name: string,
  { pauseMs, gapMs }: { pauseMs: () => number; gapMs: () => number },
  round: () => Promise<number>,
): Loop {
  const { loops } = context.memory
  let nudge = new AbortController()
  const rest = (milliseconds: number, signal: AbortSignal) =>
    pause(Math.min(milliseconds, TIMER_MAX_MS), undefined, { signal }).catch(() => {})
  const ended = async () => {
    while (!context.stopping.aborted) {
      nudge = new AbortController()
      const begunAt = performance.now()
      let restMs = pauseMs()
      try {
        restMs = await round()
        loops.failures.delete(name)
        loops.roundAt = context.clock.now()
      } catch (error) {
        loops.failures.set(name, (loops.failures.get(name) ?? 0) + 1)
        context.log.warn({ err: error, loop: name }, 'a step of background work failed; it will be retried')
      }
      await rest(restMs, AbortSignal.any([nudge.signal, context.stopping]))
      const tooSoonMs = begunAt + gapMs() - performance.now()
      if (tooSoonMs > 0) await rest(tooSoonMs, context.stopping)
    }
  }
  const wake = () => nudge.abort()
  loops.wake.set(name, wake)
  return { name, wake, ended: ended() }
}

/** Wakes these loops if their work is due: a notification may have been lost. One query for all of them. */
export function startFindingLostWork(context: Context, loops: readonly Loop[]): Loop {
  return startLoop(context, FINDING_LOST_WORK, LOST_FOUND_MS, () => findLostWork(context, loops))
}

/** One step of the loop. */
export async function findLostWork({ clock, db }: Context, loops: readonly Loop[]): Promise<void> {
  const due = new Set(await loopsWithDueWork(db, clock.now()))
  for (const loop of loops) if (due.has(loop.name)) loop.wake()
}

/** Loops of this process whose last steps have all failed; a single failure is made good by the next step. */
export function failingLoops({ memory }: Pick<Context, 'memory'>): string[] {
  return [...memory.loops.failures].flatMap(([name, times]) => (times >= FAILING_FROM ? [name] : []))
}

/** Handles notifications on `WORK_CHANNEL` in the process of these loops: each names the loops to wake. */
export function wakerOf(loops: readonly Loop[]): (name: string) => void {
  return (name) => {
    for (const loop of loops) if (loop.name === name || name === EVERY_LOOP) loop.wake()
  }
}

/** Wakes the loops of this name when the transaction commits, for what no trigger says. */
export async function wakeLoops(db: Queryable, name: string): Promise<void> {
  await runSql(db, 'SELECT pg_notify($1, $2)', [WORK_CHANNEL, name])
}
