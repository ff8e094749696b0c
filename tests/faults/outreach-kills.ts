import { setTimeout as pause } from 'node:timers/promises'
import { runSql } from '#server/platform/database/transaction.ts'
import { startHowlProcess } from '../support/howl-process.ts'
import type { SmtpSink } from '../support/smtp-sink.ts'
import type { TestApp } from '../support/test-app.ts'

/** A worker counts as dead after some silence on a clock that goes on like this; a standing one would wait for ever. */
export const CLOCK_STEP_MS = 1000
const LOOK_EVERY_MS = 5
/** In vain: nothing is due. Less than the silence after which it would take its standing companions for dead. */
const PATIENCE_MS = 3000
/** It is killed so soon after it has begun: some rounds and some mails later. */
const WORKS_MS = 500

/** What kills met: a round that was being written, mails on their way, or nothing to do. */
export type KillOutcome = { inRounds: number; whileSending: number; idle: number }

/** A worker as a process of its own, which is killed with -9 while it works. */
export class Kills {
  readonly outcome: KillOutcome = { inRounds: 0, whileSending: 0, idle: 0 }
  /** After each kill the number of the last connection that was opened before it. */
  readonly lastBefore: number[] = []
  readonly #app: TestApp
  readonly #sink: SmtpSink
  readonly #random: () => number

  constructor(app: TestApp, sink: SmtpSink, random: () => number) {
    this.#app = app
    this.#sink = sink
    this.#random = random
  }

  /** Lets a worker whose clock is at a moment begin, and kills it a little later. The clock of the others has not come there. */
  async kill(moment: Date): Promise<void> {
    const before = this.#sink.count
    const child = await startHowlProcess(
      {
        DATABASE_URL: this.#app.databaseUrl,
        DATA_DIR: this.#app.dataDir,
        SECRET_KEY: 'a secret key that only the tests know of',
        CLOCK_OFFSET: String(Math.ceil((moment.getTime() - Date.now()) / 1000)),
      },
      ['--run=worker'],
    )
    const until = Date.now() + PATIENCE_MS
    while (Date.now() < until && this.#sink.count === before && !(await this.#isWriting()))
      await pause(LOOK_EVERY_MS)
    await pause(this.#random() * WORKS_MS)
    const [isWriting, isSending] = [await this.#isWriting(), await this.#isSending()]
    await child.kill()
    this.outcome[isWriting ? 'inRounds' : isSending ? 'whileSending' : 'idle'] += 1
    this.lastBefore.push(this.#sink.connections.total)
  }

  /** Whether a round holds the pace of an account. */
  async #isWriting(): Promise<boolean> {
    const { rows } = await runSql(
      this.#app.context.db,
      `SELECT FROM pg_locks l, mailboxes b WHERE l.locktype = 'advisory' AND l.granted
        AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('pace of ' || b.id::text, b.user_id)`,
      [],
    )
    return rows.length > 0
  }

  async #isSending(): Promise<boolean> {
    const sql = `SELECT FROM deliveries WHERE state IN ('queued', 'claimed', 'committed') LIMIT 1`
    return (await runSql(this.#app.context.db, sql, [])).rows.length > 0
  }
}
