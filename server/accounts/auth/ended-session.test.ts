import { connect as dial } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emailWriting as emails } from '#contract/mail/email-writing.ts'
import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { ALWAYS, mail } from '../../../tests/support/sequence-days.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { findCaller, forgetCallers } from './auth.ts'
import { lockSetup } from './store.ts'

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

/** Does in a transaction what a new password does, which is open until `write` waits for its end. */
async function endMeanwhile<T>(write: () => Promise<T>, lockOn: string, end: string): Promise<T> {
  const { db } = app.context
  const { written } = await inTransaction(db, async (tx) => {
    await lockSetup(tx, user.id)
    await runSql(tx, end, [user.id])
    const written = write()
    const waits = async () =>
      (
        await runSql(
          db,
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${lockOn}%`],
        )
      ).rows.length
    const isAnswered = written.then(() => 'answered')
    await expect.poll(() => Promise.race([isAnswered, waits()])).toBe(1)
    return { written }
  })
  return written
}

const logIn = () => call(app.url, auth.login, { body: { email: user.email, password: user.password } })
const as = ({ token }: { token: string }) => ({ token })

/** An issued invoice of the user's. */
async function anIssued(): Promise<number> {
  const { body } = await call(app.url, invoices.add, { ...as(user), body: anInvoice() })
  const issued = await call(app.url, invoices.issue, { ...as(user), params: { id: body.id } })
  expect(issued.status).toBe(200)
  return body.id
}

/** What can be set up, each with how it is, for its owner. */
const STARTS: Record<
  string,
  () => Promise<{
    write: () => Promise<{ status: number }>
    seen: (token: string) => Promise<unknown>
    /** Lets `write` end that waits for what it has begun. */
    stop?: () => Promise<unknown>
  }>
> = {
  'a model': async () => ({
    write: () => call(app.url, ownModel.save, { ...as(user), body: MODEL }),
    seen: async (token) => (await call(app.url, ownModel.get, { token })).body.own,
  }),
  'an account': async () => ({
    write: () => call(app.url, mailboxSetup.addAccount, { ...as(user), body: ACCOUNT }),
    seen: async (token) => (await call(app.url, mailboxes.accounts, { token })).body,
  }),
  'the settings': async () => ({
    write: () => call(app.url, mailboxSetup.save, { ...as(user), body: ACCOUNT }),
    seen: async (token) => (await call(app.url, mailboxes.accounts, { token })).body,
  }),
  'a run': async () => {
    await call(app.url, mailboxSetup.save, { ...as(user), body: ACCOUNT })
    const body = { name: 'Bob', email: 'bob@customer.example' }
    expect((await call(app.url, contacts.add, { ...as(user), body })).status).toBe(200)
    return {
      write: () => call(app.url, outreach.generateAndSend, as(user)),
      seen: async (token) => (await call(app.url, outreach.current, { token })).body?.batch_id,
      stop: async () => {
        const id = (await call(app.url, outreach.current, as(user))).body?.batch_id ?? 0
        return call(app.url, outreach.cancel, { ...as(user), params: { id } })
      },
    }
  },
  'a sequence': async () => {
    await call(app.url, mailboxSetup.save, { ...as(user), body: ACCOUNT })
    const body = { name: 'Hello', steps: [mail(1, 'Hello')], hours: ALWAYS, starts: [] }
    const added = await call(app.url, sequences.add, { ...as(user), body })
    return {
      write: () => call(app.url, sequences.start, { ...as(user), params: { id: added.body.id } }),
      seen: async (token) => (await call(app.url, sequences.list, { token })).body[0]?.state,
    }
  },
  'payment reminders': async () => ({
    write: () => call(app.url, paymentReminders.saveSettings, { ...as(user), body: { on: true } }),
    seen: async (token) => (await call(app.url, paymentReminders.settings, { token })).body.on,
  }),
  'a recurring invoice': async () => {
    const first_on = new Date(app.clock.now().getTime() + 172_800_000).toISOString().slice(0, 10)
    const body = { invoice_id: await anIssued(), every: 'month' as const, first_on }
    return {
      write: () => call(app.url, recurringInvoices.add, { ...as(user), body }),
      seen: async (token) => (await call(app.url, recurringInvoices.list, { token })).body,
    }
  },
  'a shared link': async () => {
    const params = { id: await anIssued() }
    return {
      write: () => call(app.url, invoiceMail.changeLink, { ...as(user), params, body: { change: 'new' } }),
      seen: async (token) => (await call(app.url, invoiceMail.link, { token, params })).body.url,
    }
  },
}

describe('a call that writes while its session ends', () => {
  test.each(Object.keys(STARTS))('waits, and writes nothing once it has ended: %s', async (name) => {
    const { write, seen, stop } = (await STARTS[name]?.()) ?? expect.fail()
    const before = await seen(user.token)
    const end = 'UPDATE sessions SET ended_at = created_at WHERE user_id = $1'
    expect((await endMeanwhile(write, 'advisory', end)).status).toBe(401)
    const { token } = (await logIn()).body
    expect(await seen(token)).toEqual(before)
    // It is nothing else that keeps it from being written.
    user.token = token
    const written = write()
    await expect.poll(() => seen(token)).not.toEqual(before)
    await stop?.()
    expect((await written).status).toBe(200)
  })
})

test('a log-in with a password that is being replaced opens no session', async () => {
  const replace = "UPDATE users SET password_hash = password_hash || 'x' WHERE id = $1"
  const { status, error } = await endMeanwhile(logIn, 'FROM users WHERE', replace)
  expect([status, error.detail]).toEqual([
    401,
    'The password was changed just now. Please log in with the new one.',
  ])
  const open = 'SELECT FROM sessions WHERE user_id = $1'
  // Only that of the sign-up.
  expect((await runSql(app.context.db, open, [user.id])).rows).toHaveLength(1)
})

test('a caller who is looked up while the session ends is not remembered', async () => {
  const { context } = app
  const lookedUp = findCaller(context, user.token)
  forgetCallers(context, user.id)
  expect(await lookedUp).toMatchObject({ id: user.id })
  await runSql(context.db, 'UPDATE sessions SET ended_at = $2 WHERE user_id = $1', [user.id, app.clock.now()])
  expect(await findCaller(context, user.token)).toBeNull()
})
