import { connect as dial } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/auth.ts'
import { emailWriting as emails } from '#contract/email-writing.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { mailboxSetup } from '#contract/mailbox-setup.ts'
import { ownModel } from '#contract/own-model.ts'
import { inTransaction, runSql } from '#server/database/transaction.ts'
import { call } from '../../tests/support/client.ts'
import { signUp, type TestUser } from '../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { findCaller, forgetCallers } from './auth.ts'

const MODEL = { base_url: 'http://127.0.0.1:9/v1', model: 'tiny' }
const ACCOUNT = {
  smtp_host: '127.0.0.1',
  smtp_port: 2525,
  smtp_username: 'eve',
  smtp_password: 'secret',
  smtp_from: 'eve@muster.example',
}
/** Bytes of a body that are kept back: of a file, some of the boundary that ends it. */
const HELD = 8
const DRAFT = { to: 'bob@customer.example', subject: 'An offer', content: 'Hello Bob' }

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  user = await signUp(app.url)
})
afterAll(async () => {
  await app?.end()
})

/** Begins a call and keeps back the end of its body, until `end` is called; returns the answer's status line. */
async function heldCall(to: Endpoint, body: string, type: string) {
  const socket = dial(Number(new URL(app.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  const head =
    `${to.method} ${pathOf(to)} HTTP/1.1\r\nHost: howl.example\r\nAuthorization: Bearer ${user.token}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
  // The server answers this with 100 once it has the head, and lets the call in before it says so or soon after.
  const goOn = new Promise((resolve) => socket.once('data', resolve))
  socket.write(head)
  await goOn
  socket.write(body.slice(0, -HELD))
  // Answered after the held call was let in: both look the session up, in this order.
  expect((await call(app.url, auth.me, { token: user.token })).status).toBe(200)
  return async () => {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(body.slice(-HELD))
    await closed
    return /HTTP\/1\.1 (?!100)(\d+)/.exec(answer)?.[1]
  }
}

const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n'

describe('a call whose body ends after its session', () => {
  test.each([
    ['a model', ownModel.save, JSON.stringify(MODEL), 'application/json'],
    ['an account', mailboxSetup.addAccount, JSON.stringify(ACCOUNT), 'application/json'],
    ['a draft', emails.saveDraft, JSON.stringify(DRAFT), 'application/json'],
    ['a file', emails.upload, FILE, 'multipart/form-data; boundary=b'],
  ] as const)('is refused: %s', async (_, to, body, type) => {
    expect(await (await heldCall(to, body, type))()).toBe('200')

    const end = await heldCall(to, body.replace('eve@', 'mallory@'), type)
    expect((await call(app.url, auth.logout, { token: user.token })).status).toBe(200)
    expect(await end()).toBe('401')
  })
})

describe('a call that writes while its session ends', () => {
  test.each([
    ['a model', () => call(app.url, ownModel.save, { token: user.token, body: MODEL })],
    ['an account', () => call(app.url, mailboxSetup.addAccount, { token: user.token, body: ACCOUNT })],
    ['the settings', () => call(app.url, mailboxSetup.save, { token: user.token, body: ACCOUNT })],
  ] as const)('waits, and writes nothing once it has ended: %s', async (_, write) => {
    const { db } = app.context
    const answer = await inTransaction(db, async (tx) => {
      await runSql(tx, 'UPDATE sessions SET ended_at = $2 WHERE user_id = $1', [user.id, app.clock.now()])
      const written = write()
      const waits = async () =>
        (
          await runSql(
            db,
            `SELECT FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"sessions"%'`,
          )
        ).rows.length
      const isAnswered = written.then(() => 'answered')
      await expect.poll(() => Promise.race([isAnswered, waits()])).toBe(1)
      return { written }
    })
    expect((await answer.written).status).toBe(401)
    const owner = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
    const { token } = owner.body
    expect((await call(app.url, ownModel.get, { token })).body.own).toBeNull()
    expect((await call(app.url, mailboxes.accounts, { token })).body).toEqual([])
  })
})

test('a caller who is looked up while the session ends is not remembered', async () => {
  const { context } = app
  const lookedUp = findCaller(context, user.token)
  forgetCallers(context, user.id)
  expect(await lookedUp).toMatchObject({ id: user.id })
  await runSql(context.db, 'UPDATE sessions SET ended_at = $2 WHERE user_id = $1', [user.id, app.clock.now()])
  expect(await findCaller(context, user.token)).toBeNull()
})
