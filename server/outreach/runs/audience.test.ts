import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, receive } from '../../../tests/support/writing.ts'

const DAY_MS = 86_400_000
const clock = movableClock()
let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ clock })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
beforeEach(async () => {
  sink.clear()
  ada = await userWithAccount()
})

const userWithAccount = () => connectWriter(app, sink)

async function add(name: string, more: Partial<BodyInput<typeof contacts.add>> = {}, user = ada) {
  const body = { name, email: `${name.toLowerCase()}@customer.example`, ...more }
  const { body: added, status } = await call(app.url, contacts.add, { token: user.token, body })
  expect(status).toBe(200)
  return added.id
}

type Asked = NonNullable<BodyInput<typeof outreach.generateAndSend>>
const write = (body: Asked, user = ada) =>
  call(app.url, outreach.generateAndSend, { token: user.token, body })
const estimate = async (body: BodyInput<typeof outreach.estimateAudience>) =>
  (await call(app.url, outreach.estimateAudience, { token: ada.token, body })).body
const sqlRows = async (text: string, values: readonly unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
const mailed = () => sink.received.map(({ envelope }) => envelope.to[0]?.split('@')[0]).sort()
const skipsOf = ({ results }: Awaited<ReturnType<typeof write>>['body']) =>
  results.filter(({ status }) => status === 'skipped').map(({ name, reason }) => [name, reason])

describe('a run to an audience', () => {
  test('writes to the contacts that were chosen, and to nobody else', async () => {
    const [bob, , dora] = [await add('Bob'), await add('Carl'), await add('Dora')]
    const audience = { contact_ids: [dora, bob, bob] }
    expect(await estimate({ audience })).toMatchObject({
      name: 'To 2 contacts of your choice',
      contacts: 2,
      to_send: 2,
      skipped: [],
      example: { name: 'Bob' },
    })
    const { status, body } = await write({ audience, expected: 2 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      done: true,
      audience: 'To 2 contacts of your choice',
      summary: { total: 2, sent: 2, skipped: 0, pending: 0 },
    })
    expect(mailed()).toEqual(['bob', 'dora'])
    const { body: current } = await call(app.url, outreach.current, { token: ada.token })
    expect(current?.audience).toBe('To 2 contacts of your choice')
  })

  test('writes to those that a filter lets through, and keeps what it is called', async () => {
    await add('Bob', { tags: ['fair'], company: 'Muster' })
    await add('Carl', { tags: ['fair'], company: 'Far' })
    await add('Dora', { company: 'Muster' })
    const audience = { filter: { tag: 'Fair', company: 'mus', status: 'all' as const } }
    const { body } = await write({ audience })
    expect(body).toMatchObject({
      audience: 'To 1 contact tagged Fair, at mus',
      summary: { total: 1, sent: 1 },
    })
    expect(mailed()).toEqual(['bob'])
    await call(app.url, contacts.removeMany, { token: ada.token, body: { filter: {} } })
    const again = await call(app.url, outreach.get, { token: ada.token, params: { id: body.batch_id } })
    expect(again.body.audience).toBe('To 1 contact tagged Fair, at mus')
  })

  test('names the skipped with their reasons before anything leaves, and skips just these', async () => {
    const ids = []
    for (const name of ['Bob', 'Carl', 'Dora', 'Emil', 'Frida', 'Gina']) ids.push(await add(name))
    const [bob = 0, carl = 0] = ids
    await write({ audience: { contact_ids: [bob] } })
    clock.forward(8 * DAY_MS)
    await write({ audience: { contact_ids: [carl] } })
    clock.forward(DAY_MS)
    await call(app.url, contacts.stopMailing, { token: ada.token, body: { ids: ids.slice(2, 5) } })
    sink.clear()

    const audience = { contact_ids: ids }
    expect(await estimate({ audience })).toMatchObject({
      contacts: 6,
      to_send: 1,
      already_mailed: 2,
      suppressed: 3,
      skipped: [
        { reason: 'On your do-not-mail list', contacts: 3, names: ['Dora', 'Emil', 'Frida'] },
        { reason: 'Already emailed before', contacts: 1, names: ['Bob'] },
        { reason: 'Emailed in the last 7 days', contacts: 1, names: ['Carl'] },
      ],
    })
    expect(await estimate({ audience, write_again: true })).toMatchObject({ to_send: 2, already_mailed: 1 })
    expect(sink.received).toEqual([])

    const { body } = await write({ audience })
    expect(mailed()).toEqual(['gina'])
    expect(skipsOf(body)).toEqual([
      ['Bob', 'Already emailed before'],
      ['Carl', 'Emailed in the last 7 days'],
      ['Dora', 'On your do-not-mail list'],
      ['Emil', 'On your do-not-mail list'],
      ['Frida', 'On your do-not-mail list'],
    ])
    sink.clear()
    const second = await write({ audience, write_again: true })
    expect(mailed()).toEqual(['bob'])
    expect(skipsOf(second.body)).toContainEqual(['Gina', 'Emailed in the last 7 days'])
    sink.clear()
    // A week later the box lets the others in as well.
    clock.forward(7 * DAY_MS + 1000)
    await write({ audience, write_again: true })
    expect(mailed()).toEqual(['bob', 'carl', 'gina'])
  })

  test('leaves out who said no, also where it writes again', async () => {
    const [bob, carl] = [await add('Bob'), await add('Carl')]
    const audience = { contact_ids: [bob, carl] }
    await write({ audience })
    clock.forward(8 * DAY_MS)
    await runSql(
      app.context.db,
      `INSERT INTO suppressions (user_id, address_key, reason, created_at)
       SELECT user_id, email_key, 'declined', now() FROM contacts WHERE id = $1`,
      [bob],
    )
    expect(await estimate({ audience, write_again: true })).toMatchObject({
      to_send: 1,
      declined: 1,
      suppressed: 0,
      skipped: [{ reason: 'Said no', contacts: 1, names: ['Bob'] }],
    })
    expect(await estimate({ audience })).toMatchObject({ to_send: 0, already_mailed: 2, declined: 0 })
    sink.clear()
    await write({ audience, write_again: true })
    expect(mailed()).toEqual(['carl'])
  })

  test('a failed mail is checked before it is sent again', async () => {
    const bob = await add('Bob')
    const audience = { contact_ids: [bob] }
    sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 Not today' } : undefined))
    const { body: failed } = await write({ audience })
    expect(failed.summary).toMatchObject({ sent: 0, errors: 1 })
    sink.setScript(() => undefined)
    const [row] = await sqlRows('SELECT email_id FROM outreach_items WHERE user_id = $1', [ada.id])
    const again = () =>
      call(app.url, emails.resend, { token: ada.token, params: { id: Number(row?.['email_id']) } })
    // Its day is free again, and another one takes it.
    await write({ audience })
    expect(mailed()).toEqual(['bob'])
    expect(await again()).toMatchObject({
      status: 409,
      error: { detail: 'They’ve already had an automatic email today, so it wasn’t sent again.' },
    })
    clock.forward(DAY_MS)
    sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 Not today' } : undefined))
    expect((await again()).status).toBe(400)
    sink.setScript(() => undefined)
    const said = async (words: string) => {
      clock.forward(10_000)
      const head = `From: Bob <bob@customer.example>\nTo: ada@muster.example\nSubject: Re: Bread\n`
      const id = `Message-ID: <${words.length}@customer.example>\nDate: ${clock.now().toUTCString()}\n`
      await receive(app, ada, `${head}${id}\n${words}\n`)
      return (await again()).error.detail
    }
    expect(await said('What does it cost?')).toBe('They’ve replied since, so it wasn’t sent again.')
    expect(await said('No thanks, we are not interested.')).toBe('They said no, so it wasn’t sent again.')
    expect(mailed()).toEqual(['bob'])
  })

  test('a failed mail is counted on the day on which it is sent again', async () => {
    const bob = await add('Bob')
    sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 Not today' } : undefined))
    await write({ audience: { contact_ids: [bob] } })
    sink.setScript(() => undefined)
    const days = () =>
      sqlRows(
        `SELECT d.mails, a.email_id FROM automatic_mail_days d LEFT JOIN automatic_mails a USING (user_id, local_day)
         WHERE user_id = $1 ORDER BY local_day`,
        [ada.id],
      )
    const [first] = await days()
    clock.forward(DAY_MS)
    const params = { id: Number(first?.['email_id']) }
    expect((await call(app.url, emails.resend, { token: ada.token, params })).status).toBe(200)
    expect(await days()).toEqual([
      { mails: 0, email_id: null },
      { mails: 1, email_id: params.id },
    ])
  })

  test('never writes to contacts of somebody else', async () => {
    const bob = await add('Bob')
    const other = await userWithAccount()
    const theirs = await add('Theirs', {}, other)
    const { body } = await write({ audience: { contact_ids: [bob, theirs] } })
    expect(body.summary).toMatchObject({ total: 1, sent: 1 })
    expect(mailed()).toEqual(['bob'])
    const nobody = await write({ audience: { contact_ids: [theirs] } })
    expect([nobody.status, nobody.error.detail]).toEqual([400, 'None of these contacts is there any more.'])
    expect((await estimate({ audience: { contact_ids: [theirs] } })).contacts).toBe(0)
  })

  test('is refused where the contacts are not those that the user was told of', async () => {
    await add('Bob', { tags: ['fair'] })
    const carl = await add('Carl', { tags: ['fair'] })
    await call(app.url, contacts.remove, { token: ada.token, params: { id: carl } })
    const { status, error } = await write({ audience: { filter: { tag: 'fair' } }, expected: 2 })
    expect([status, error.detail]).toEqual([409, '1 contact is meant now, not 2. Please look again.'])
    expect(sink.received).toEqual([])
  })

  test('leaves out a contact that is deleted while the run is under way', async () => {
    const ids = [await add('Bob'), await add('Carl')]
    const [mailbox] = (await runSql(app.context.db, 'SELECT id FROM mailboxes WHERE user_id = $1', [ada.id]))
      .rows as { id: number }[]
    // Both have their row already, and one of them is gone before its mail is written.
    const { rows } = await runSql(
      app.context.db,
      `INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, started_at, audience, audience_name)
       VALUES ($1, $2, 'paused', 2, true, $3, '{"contact_ids": []}', 'To 2 contacts of your choice') RETURNING id`,
      [ada.id, mailbox?.id, clock.now()],
    )
    const { id: batchId } = rows[0] as { id: number }
    for (const id of ids)
      await runSql(
        app.context.db,
        `INSERT INTO outreach_items (user_id, batch_id, contact_id, name, address, state)
         SELECT user_id, $2, id, name, email, 'pending' FROM contacts WHERE user_id = $1 AND id = $3`,
        [ada.id, batchId, id],
      )
    await call(app.url, contacts.remove, { token: ada.token, params: { id: ids[0] ?? 0 } })
    const of = { token: ada.token, params: { id: batchId } }
    expect((await call(app.url, outreach.resume, of)).status).toBe(200)
    await expect.poll(async () => (await call(app.url, outreach.get, of)).body.done).toBe(true)
    const { body } = await call(app.url, outreach.get, of)
    expect(skipsOf(body)).toEqual([['Bob', 'The contact was deleted']])
    expect(mailed()).toEqual(['carl'])
  })

  test('joins no other run', async () => {
    const bob = await add('Bob')
    await runSql(
      app.context.db,
      `INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, started_at)
       SELECT user_id, id, 'paused', 1, true, $2 FROM mailboxes WHERE user_id = $1`,
      [ada.id, clock.now()],
    )
    const { status, error } = await write({ audience: { contact_ids: [bob] } })
    expect([status, error.detail]).toEqual([
      409,
      'Another run is under way. Wait until it is over, or cancel it.',
    ])
  })

  test('takes up to 10,000 ids, and one audience at a time', async () => {
    const bob = await add('Bob')
    const ids = Array.from({ length: 10_000 }, (_, index) => 900_000_000 + index)
    const most = { contact_ids: [bob, ...ids.slice(1)] }
    expect(await estimate({ audience: most })).toMatchObject({ contacts: 1, to_send: 1 })
    const tooMany = await write({ audience: { contact_ids: [bob, ...ids] } })
    expect([tooMany.status, tooMany.error.code]).toEqual([400, 'INVALID_INPUT'])
    expect(JSON.stringify(tooMany.error)).toContain('Please choose up to 10000 contacts')
    for (const audience of [{}, { contact_ids: [bob], filter: {} }, { contact_ids: [] }])
      expect((await write({ audience })).status).toBe(400)
    expect((await write({ audience: { filter: { last_contact_from: '2026-02-30' } } })).status).toBe(400)
    expect(sink.received).toEqual([])
    expect((await write({ audience: most })).body.summary).toMatchObject({ total: 1, sent: 1 })
  })

  test('reads a filter with odd characters as text', async () => {
    await add('Bob', { company: '100% \\ Co' })
    const { body } = await write({ audience: { filter: { company: '100% \\ \0', search: '"; DROP' } } })
    expect(body).toMatchObject({ code: 'INVALID_INPUT' })
    const found = await write({ audience: { filter: { company: '100% \\\0' } } })
    expect(found.body).toMatchObject({ audience: 'To 1 contact at 100% \\', summary: { sent: 1 } })
  })
})

describe('a run without an audience', () => {
  test('never writes twice, however long ago the first mail was', async () => {
    await add('Bob')
    await write({})
    clock.forward(10 * DAY_MS)
    await add('Carl')
    sink.clear()
    const { body } = await write({ write_again: true })
    expect(body.audience).toBeNull()
    expect(mailed()).toEqual(['carl'])
    expect(skipsOf(body)).toEqual([['Bob', 'Already emailed before']])
  })
})

describe('the filters of the contacts', () => {
  const names = async (query: object) =>
    (await call(app.url, contacts.list, { token: ada.token, query })).body.map(({ name }) => name)

  test('find those who were never mailed', async () => {
    const bob = await add('Bob')
    await add('Carl')
    expect(await names({ never_mailed: 'true', sort: 'name' })).toEqual(['Bob', 'Carl'])
    await write({ audience: { contact_ids: [bob] } })
    expect(await names({ never_mailed: 'true' })).toEqual(['Carl'])
    const { body } = await call(app.url, contacts.count, {
      token: ada.token,
      query: { never_mailed: 'true' },
    })
    expect(body.total).toBe(1)
    const wrong = await call(app.url, contacts.list, {
      token: ada.token,
      query: { never_mailed: 'no' as 'true' },
    })
    expect(wrong.status).toBe(400)
  })

  test('find those who have opened an invoice that was shared with them', async () => {
    const other = await userWithAccount()
    const [bob, carl] = [await add('Bob'), await add('Carl')]
    const tokens = []
    for (const contactId of [bob, carl]) {
      const invoice = await call(app.url, invoices.add, {
        token: ada.token,
        body: anInvoice({ contact_id: contactId }),
      })
      const of = { token: ada.token, params: { id: invoice.body.id } }
      expect((await call(app.url, invoices.issue, of)).status).toBe(200)
      tokens.push((await call(app.url, invoiceMail.link, of)).body.url?.split('/i/')[1] ?? '')
    }
    expect(await names({ opened_invoice: 'true' })).toEqual([])
    // The user himself looks at what he wrote: that opens nothing.
    await call(app.url, sharedInvoices.viewed, { params: { token: tokens[0] ?? '' }, token: ada.token })
    expect(await names({ opened_invoice: 'true' })).toEqual([])
    await call(app.url, sharedInvoices.viewed, { params: { token: tokens[1] ?? '' } })
    expect(await names({ opened_invoice: 'true' })).toEqual(['Carl'])
    expect(await names({ opened_invoice: 'true', never_mailed: 'true' })).toEqual(['Carl'])
    const theirs = await call(app.url, contacts.list, {
      token: other.token,
      query: { opened_invoice: 'true' },
    })
    expect(theirs.body).toEqual([])
    const { body } = await write({ audience: { filter: { opened_invoice: 'true' } } })
    expect(body).toMatchObject({ audience: 'To 1 contact who opened an invoice', summary: { sent: 1 } })
    expect(mailed()).toEqual(['carl'])
  })
})
