import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import type { Context } from '../context.ts'
import { listen } from '../database/connect.ts'
import { inTransaction, runSql } from '../database/transaction.ts'
import { READING, readSoon } from '../../mail/mailboxes/mailboxes.ts'
import { findLostWork, type Loop, startDueLoop, startLoop, wakeLoops, wakerOf, WORK_CHANNEL } from './loop.ts'

const AN_HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'], onlyWoken: true })
})

afterAll(() => app.end())

it('a loop runs at once when a transaction that wakes it has committed', async () => {
  const { db } = app.context
  const steps = new EventEmitter()
  let [taken, other] = [0, 0]
  const first = once(steps, 'step')
  const asked = startLoop(app.context, 'asked', AN_HOUR_MS, async () => {
    taken += 1
    steps.emit('step')
  })
  const unasked = startLoop(app.context, 'unasked', AN_HOUR_MS, async () => void (other += 1))
  const listening = Promise.withResolvers<void>()
  const listener = listen(app.databaseUrl, { [WORK_CHANNEL]: wakerOf([asked, unasked]) }, () =>
    listening.resolve(),
  )
  await Promise.all([first, listening.promise])

  const undone = inTransaction(db, async (tx) => {
    await wakeLoops(tx, 'unasked')
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  const second = once(steps, 'step')
  await inTransaction(db, (tx) => wakeLoops(tx, 'asked'))
  await second
  expect([taken, other]).toEqual([2, 1])
  await listener.close()
})

it('connecting a mailbox or asking for new mail wakes the sync loop', async () => {
  const heard = new EventEmitter()
  const listening = Promise.withResolvers<void>()
  const listener = listen(app.databaseUrl, { [WORK_CHANNEL]: (name) => void heard.emit(name) }, () =>
    listening.resolve(),
  )
  await listening.promise
  const { id, token } = await signUp(app.url)

  const connected = once(heard, READING)
  const body = {
    smtp_host: '127.0.0.1',
    smtp_port: 2525,
    smtp_username: 'ada',
    smtp_password: 'secret',
    smtp_from: 'ada@muster.example',
    imap_host: '127.0.0.1',
    imap_port: 1143,
    imap_username: 'ada',
    imap_password: 'secret',
  }
  await call(app.url, mailboxSetup.save, { token, body })
  await connected

  const checked = once(heard, READING)
  await readSoon(app.context.db, id, app.context.clock.now())
  await checked
  await listener.close()
})

describe('work that is due', () => {
  const SOON_MS = 2000
  const LOOP = 'plan follow-ups'

  /** A context whose loops end with the test. */
  function untilTestEnds(): Context {
    const stopping = new AbortController()
    onTestFinished(() => stopping.abort())
    return { ...app.context, stopping: stopping.signal }
  }

  /** A loop that notes its steps, and what of the plans was due at each. */
  async function aPlanner(): Promise<{ loop: Loop; steps: number[]; step: () => Promise<unknown> }> {
    const steps: number[] = []
    const heard = new EventEmitter()
    const step = () => once(heard, 'step')
    const first = step()
    const loop = startDueLoop(untilTestEnds(), LOOP, 10, async () => {
      const { rows } = await sql(
        `UPDATE follow_up_plans SET next_run_at = NULL, is_stale = false
         WHERE is_stale OR next_run_at <= $1 RETURNING user_id`,
        [app.clock.now()],
      )
      steps.push(rows.length)
      heard.emit('step')
    })
    await first
    return { loop, steps, step }
  }

  const sql = (text: string, values: unknown[] = []) => runSql(app.context.db, text, values)
  async function planIn(milliseconds: number): Promise<void> {
    const { id } = await signUp(app.url)
    const at = new Date(app.clock.now().getTime() + milliseconds)
    await sql('INSERT INTO follow_up_plans (user_id, next_run_at, is_stale) VALUES ($1, $2, false)', [id, at])
  }

  async function hearing(loops: readonly Loop[]): Promise<{ close: () => Promise<void> }> {
    const listening = Promise.withResolvers<void>()
    const listener = listen(app.databaseUrl, { [WORK_CHANNEL]: wakerOf(loops) }, () => listening.resolve())
    await listening.promise
    return listener
  }

  it('is done at its time, and nobody looks before', async () => {
    const { loop, steps, step } = await aPlanner()
    const listener = await hearing([loop])
    await planIn(SOON_MS)
    while (!steps.includes(1)) await step()
    // The first look, the one when its time became known, and the one at its time. A timer may be a millisecond early.
    expect(steps.length).toBeLessThanOrEqual(4)
    await listener.close()
  })

  it('is done although its notification was lost, and what is not due wakes nobody', async () => {
    const { loop, steps, step } = await aPlanner()
    await findLostWork(app.context, [loop])
    const done = step()
    await planIn(0)
    await findLostWork(app.context, [loop])
    await done
    expect(steps).toEqual([0, 1])
  })

  it('of a worker that has gone is free at once for those that are there', async () => {
    const { id, token } = await signUp(app.url)
    const imap = { imap_host: '127.0.0.1', imap_port: 1143, imap_username: 'ada', imap_password: 'secret' }
    const smtp = { smtp_host: '127.0.0.1', smtp_port: 2525, smtp_username: 'ada', smtp_password: 'secret' }
    await call(app.url, mailboxSetup.save, {
      token,
      body: { ...smtp, smtp_from: 'ada@muster.example', ...imap },
    })
    // Nobody but the test removes it.
    const beatAt = new Date(app.clock.now().getTime() + AN_HOUR_MS)
    await sql(`INSERT INTO workers (id, started_at, heartbeat_at) VALUES ('gone', $1, $1)`, [beatAt])
    await sql(`UPDATE mailboxes SET reader_id = 'gone' WHERE user_id = $1`, [id])
    const taken = new EventEmitter()
    const first = once(taken, 'step')
    const loop = startDueLoop(untilTestEnds(), READING, 10, async () => {
      const { rows } = await sql(
        `UPDATE mailboxes SET reader_id = 'here' WHERE user_id = $1 AND reader_id NOT IN (SELECT id FROM workers) RETURNING id`,
        [id],
      )
      taken.emit(rows.length > 0 ? 'taken' : 'step')
    })
    await first
    const listener = await hearing([loop])
    const theirs = once(taken, 'taken')
    await sql(`DELETE FROM workers WHERE id = 'gone'`)
    await theirs
    await listener.close()
  })

  it('is known by the same names to loops, to what wakes them and to what finds lost work', async () => {
    const worker = await startTestApp({ roles: ['worker'], onlyWoken: true })
    const { rows: woken } = await runSql(
      worker.context.db,
      `SELECT DISTINCT name FROM pg_trigger, string_to_table(encode(tgargs, 'escape'), '\\000') AS name
       WHERE tgfoid = 'wake_loops'::regproc AND name NOT IN ('', '*')`,
    )
    const { rows: views } = await runSql(
      worker.context.db,
      `SELECT DISTINCT m[1] AS name FROM regexp_matches(pg_get_viewdef('work_due'), 'SELECT ''([^'']+)''::text', 'g') AS m`,
    )
    const namesOf = (rows: unknown[]) => (rows as { name: string }[]).map(({ name }) => name).toSorted()
    const loops = worker.context.memory.loops.wake
    expect(namesOf(woken).filter((name) => !loops.has(name))).toEqual([])
    expect(namesOf(woken)).toEqual(namesOf(views))
    await worker.end()
  })
})
