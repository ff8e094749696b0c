import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Logger, pino } from 'pino'
import { readConfig } from '#server/platform/config.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Context } from '#server/platform/context.ts'
import {
  FINDING_LOST_WORK,
  type Loop,
  LOST_FOUND_MS,
  startFindingLostWork,
} from '#server/platform/jobs/loop.ts'
import { type Role, type Running, runHowl } from '#server/run.ts'
import type { PasswordCost } from '#server/platform/security/passwords.ts'
import { freshDatabase } from './database.ts'

/** Tests open accounts by the thousand, and nobody guesses their passwords. */
const CHEAP: PasswordCost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 }

/**
 * Tests wait for what loops do, so loops run ten times as often; but at most five times a second, because they share the
 * processors with the tests. Those that look less often than every five seconds keep their pace: tests take their steps.
 */
const testPause = (everyMs: number): number => (everyMs > 5000 ? everyMs : Math.max(200, everyMs / 10))
/** A test may make work due by SQL that the product never runs, and that no trigger tells of therefore. */
const withLostWork = (everyMs: number): number => (everyMs === LOST_FOUND_MS ? 1000 : testPause(everyMs))

/** Loops that start something look every five seconds or more often, so in a test each of them looks twice in this time. */
export const LOOPS_MS = 1500

export type TestApp = Running & {
  url: string
  databaseUrl: string
  dataDir: string
  clock: MovableClock
  /** Stops the app and drops its database. */
  end(): Promise<void>
}

/** The machine's clock, which a test may move forward. */
export type MovableClock = Clock & {
  forward(milliseconds: number): void
  /** Calls `listener` after each `forward`; returns what ends that. */
  onForward(listener: () => void): () => void
  /** From now on only `forward` makes time pass. */
  stand(): void
}

export function movableClock(): MovableClock {
  let offset = 0
  let stoodAt: number | undefined
  const listeners = new Set<() => void>()
  return {
    now: () => new Date((stoodAt ?? Date.now()) + offset),
    stand: () => void (stoodAt = Date.now()),
    forward: (milliseconds) => {
      offset += milliseconds
      for (const listener of listeners) listener()
    },
    onForward: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/**
 * Starts the whole app on a database of its own and a free loopback port. `environment` overrides settings; rate limits
 * are off unless a test asks for them. `log` receives what the app logs.
 */
export async function startTestApp(
  options: {
    environment?: Record<string, string>
    roles?: readonly Role[]
    /** No worker, and only these loops: the test takes every other step itself, and no loop is a moment ahead of it. */
    loops?: (context: Context) => Loop[]
    database?: { url: string }
    log?: Logger
    /** The clock of another app or server of the test. */
    clock?: MovableClock
    /** Work that nobody tells of is found no sooner than outside tests. */
    onlyWoken?: boolean
  } = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-test-'))
  const database = options.database ?? (await freshDatabase())
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that only the tests know of',
    RATE_LIMITS: 'off',
    // No test talks to the network.
    EXCHANGE_RATES_URL: 'off',
    LOG_LEVEL: 'fatal',
    ...options.environment,
  })
  // Test servers listen on any free port; the product's own list of mail ports has a test of its own.
  if (options.environment?.['MAIL_PORTS'] === undefined)
    config.mail.ports = { has: () => true } as unknown as Set<number>
  config.passwordCost = CHEAP
  config.loopPause = options.onlyWoken === true ? testPause : withLostWork
  const clock = options.clock ?? movableClock()
  const log = options.log ?? pino({ level: config.logLevel })
  const leaveNothing = async () => {
    if ('drop' in database && typeof database.drop === 'function') await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const running = await runHowl({
    config,
    databaseUrl: database.url,
    roles: options.roles ?? (options.loops === undefined ? ['web', 'worker'] : ['web']),
    log,
    clock,
  }).catch(async (error: unknown) => {
    await leaveNothing()
    throw error
  })
  const { context, loops } = running
  if (options.loops !== undefined) loops.push(...options.loops(context), startFindingLostWork(context, loops))
  // Work has come due sooner than the timers of loops know.
  const stopListening = clock.onForward(() => context.memory.loops.wake.get(FINDING_LOST_WORK)?.())
  return {
    ...running,
    url: running.url ?? '',
    databaseUrl: database.url,
    dataDir,
    clock,
    end: async () => {
      stopListening()
      await running.stop()
      await leaveNothing()
    },
  }
}
