import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { listen } from '../database/connect.ts'
import { inTransaction } from '../database/transaction.ts'
import { READING, readSoon } from '../../mail/mailboxes/mailboxes.ts'
import { startLoop, wakeLoops, wakerOf, WORK_CHANNEL } from './loop.ts'

const AN_HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
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
