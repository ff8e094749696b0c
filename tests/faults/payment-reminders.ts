import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { signUp } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { anInvoice } from '../support/invoices.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { startSinkProcess } from '../support/sink-process.ts'

const DAY_SECONDS = 86_400
const PATIENCE_MS = 150_000

const day = (offset: number) => new Date(Date.now() + offset * DAY_SECONDS * 1000).toISOString().slice(0, 10)

/** Two workers send reminders of so many invoices, of which a third is paid before and a third meanwhile, and are killed in turns. */
export async function killReminders({
  invoices: invoicesSent,
  kills,
}: {
  invoices: number
  kills: number
}): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const database = await freshDatabase()
  const sink = await startSinkProcess({ light: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that only the tests know of',
  }
  const running = new Set<HowlProcess>()
  const start = async (...how: Parameters<typeof startHowlProcess>) => {
    const howl = await startHowlProcess(...how)
    running.add(howl)
    return howl
  }
  const count = async (state: string) =>
    Number(
      (await client.query('SELECT count(*) AS n FROM payment_reminders WHERE state = $1', [state])).rows[0].n,
    )
  const until = Date.now() + PATIENCE_MS
  const wait = async (done: () => Promise<boolean>) => {
    while (!(await done())) {
      if (Date.now() > until) throw new Error('The reminders do not end')
      await pause(20)
    }
  }
  try {
    const first = await start(settings, [])
    const { token, email, password } = await signUp(first.url)
    await call(first.url, mailboxSetup.save, {
      token,
      body: mailAccountAt(sink),
    })
    await call(first.url, paymentReminders.saveSettings, {
      token,
      body: { on: true, days_before: [], days_after: [1] },
    })
    const ids: number[] = []
    for (let n = 0; n < invoicesSent; n++) {
      const buyer = { name: `Bea ${n}`, business_name: '', email: `bea${n}@far.example` }
      const body = anInvoice({ buyer, issue_date: day(0), due_date: day(5) })
      const { id } = (await call(first.url, invoices.add, { token, body })).body
      expect((await call(first.url, invoices.issue, { token, params: { id } })).status).toBe(200)
      ids.push(id)
    }
    // Only what was sent is reminded of.
    await client.query('UPDATE invoices SET sent_at = issued_at')
    await wait(async () => (await count('upcoming')) === invoicesSent)
    const pay = (url: string, session: string, id: number) =>
      call(url, invoices.addPayment, { token: session, params: { id }, body: { amount: '230' } })
    const [before, meanwhile, never] = [0, 1, 2].map((turn) => ids.filter((_, at) => at % 3 === turn)) as [
      number[],
      number[],
      number[],
    ]
    for (const id of before) expect((await pay(first.url, token, id)).status).toBe(200)
    await first.stop()

    // A week later the others are due, and two workers find them while some are paid.
    const later = { ...settings, CLOCK_OFFSET: String(8 * DAY_SECONDS) }
    const web = await start(later, ['--run=web'])
    const session = (await call(web.url, auth.login, { body: { email, password } })).body.token
    const worker = () => start(later, ['--run=worker'])
    const workers = await Promise.all([worker(), worker()])
    const paying = (async () => {
      for (const id of meanwhile) {
        expect((await pay(web.url, session, id)).status).toBe(200)
        await pause(150)
      }
    })()
    for (let kill = 0; kill < kills; kill++) {
      const atLeast = Math.floor(((kill + 0.5) * never.length) / kills)
      await wait(async () => (await count('sent')) >= atLeast)
      await workers[kill % 2]?.kill()
      workers[kill % 2] = await worker()
    }
    await paying
    await wait(async () => {
      const { rows } = await client.query(
        `SELECT count(*) AS n FROM deliveries WHERE state NOT IN ('sent', 'failed')`,
      )
      return (await count('upcoming')) === 0 && (await count('withdrawn')) === 0 && Number(rows[0].n) === 0
    })

    const arrived = await sink.byMessageId()
    const { rows } = await client.query(
      `SELECT r.invoice_id::int AS id, r.state, d.state AS delivery, e.message_id AS mail
       FROM payment_reminders r LEFT JOIN emails e ON e.user_id = r.user_id AND e.id = r.email_id
       LEFT JOIN deliveries d ON d.user_id = r.user_id AND d.email_id = r.email_id`,
    )
    const of = (id: number) => rows.find((row) => row.id === id)
    for (const id of never) {
      expect(of(id)).toMatchObject({ state: 'sent', delivery: 'sent' })
      expect(arrived.has(of(id).mail)).toBe(true)
    }
    for (const id of before) expect(of(id)).toMatchObject({ state: 'stopped', mail: null })
    // Either it left before the payment, or it never left.
    const left = meanwhile.filter((id) => of(id).delivery === 'sent')
    for (const id of left) expect(arrived.has(of(id).mail)).toBe(true)
    // A kill may hide the answer to one mail of each connection. If its invoice is paid then, it is not sent again. A
    // repeated mail has the same Message-ID: no reminder has two.
    expect(arrived.size - never.length - left.length).toBeGreaterThanOrEqual(0)
    expect(arrived.size - never.length - left.length).toBeLessThanOrEqual(kills)
  } finally {
    for (const howl of running) await howl.stop()
    await sink.stop()
    await client.end()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
