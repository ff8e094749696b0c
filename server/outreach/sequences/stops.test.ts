import { describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../../tests/support/client.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { header, receive } from '../../../tests/support/writing.ts'
import { runDue } from './run-due.ts'
import { takeWork } from './take-work.ts'
import { until } from '../../../tests/support/until.ts'

const days = sequenceDays({ workers: 2 })
const { sql, work, at, as, add, running, enrol, members, act, figures, get, holdAccount, answers } = days

describe('a sequence stops', () => {
  test('at a reply, with its step in the figures, and not at an automatic answer', async () => {
    const bob = await add()
    const eve = await add('eve@customer.example', 'Eve Ash')
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second'), wait(4, 1), mail(5, 'Third')])
    await enrol(id, [bob, eve])
    expect(await at(0)).toHaveLength(2)
    await answers('eve@customer.example', 'I am out of office.', 'Auto-Submitted: auto-replied\n')
    await work()
    expect(await at(1)).toHaveLength(2)
    await answers(BOB)
    expect(await at(2)).toEqual(['eve@customer.example'])
    const bobs = (await members(id)).find(({ email }) => email === BOB)
    expect(bobs).toMatchObject({ state: 'stopped', reason: 'replied', why: 'They replied' })
    expect((await figures(id)).steps.find(({ step }) => step === 3)).toMatchObject({ sent: 2, replied: 1 })
    expect((await get(id)).replied).toBe(1)
  })

  test('at a reply from a clock that is slow', async () => {
    const ids = [
      await add(),
      await add('eve@customer.example', 'Eve Ash'),
      await add('kim@customer.example', 'Kim'),
    ]
    const early = `Date: ${new Date(days.clock.now().getTime() - 40 * 24 * 3_600_000).toUTCString()}`
    const hours = `Date: ${new Date(days.clock.now().getTime() - 3 * 3_600_000).toUTCString()}`
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, ids)
    await at(0, '10:05')
    const first = days.sink.received.find(({ envelope }) => envelope.to[0] === BOB)
    const write = (from: string, head: string) =>
      receive(
        days.app,
        days.ada,
        `From: <${from}>\nTo: ada@muster.example\nSubject: Hello\nMessage-ID: <${days.year}${from}>\n${head}\n\nTell me more.\n`,
      )
    await write(BOB, `${early}\nIn-Reply-To: ${header(first, 'Message-ID')}`)
    await write('eve@customer.example', hours)
    // What an account that is read for the first time had long before is no reply.
    await write('kim@customer.example', early)
    expect(await at(1, '10:05')).toEqual(['kim@customer.example'])
    expect((await figures(id)).steps.find(({ step }) => step === 1)).toMatchObject({ replied: 2 })
  })

  test('at a bounce, an unsubscribing, a meeting, a payment and a deletion', async () => {
    const names = ['bounced', 'unsubscribed', 'meeting', 'paid', 'deleted', 'nothing']
    const ids = new Map<string, number>()
    for (const name of names) ids.set(name, await add(`${name}@customer.example`, name))
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [...ids.values()])
    expect(await at(0)).toHaveLength(6)
    for (const reason of ['bounced', 'unsubscribed'])
      await sql(
        `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, $3, $4)`,
        [days.ada.id, `${reason}@customer.example`, reason, days.clock.now()],
      )
    const time = (hours: number) => new Date(days.clock.now().getTime() + hours * 3_600_000).toISOString()
    const meeting = { title: 'Talk', start_time: time(90), end_time: time(91), type: 'phone' as const }
    const met = await call(days.app.url, meetings.add, {
      ...(await as()),
      body: { ...meeting, attendees: ['meeting@customer.example'] },
    })
    expect(met.status).toBe(200)
    const content = anInvoice({ contact_id: ids.get('paid') ?? 0 })
    const { body: invoice } = await call(days.app.url, invoices.add, { ...(await as()), body: content })
    const params = { id: invoice.id }
    expect((await call(days.app.url, invoices.issue, { ...(await as()), params })).status).toBe(200)
    const pay = async (amount: string) =>
      call(days.app.url, invoices.addPayment, { ...(await as()), params, body: { amount } })
    // A part does not stop it.
    expect((await pay('30')).status).toBe(200)
    expect((await pay('200')).status).toBe(200)
    const gone = ids.get('deleted') ?? 0
    expect(
      (await call(days.app.url, contacts.remove, { ...(await as()), params: { id: gone } })).status,
    ).toBe(200)
    expect(await at(1)).toEqual(['nothing@customer.example'])
    const reasons = (await members(id)).map(({ name, reason }) => [name, reason])
    expect(Object.fromEntries(reasons)).toEqual({
      bounced: 'bounced',
      unsubscribed: 'unsubscribed',
      meeting: 'meeting',
      paid: 'paid',
      'Deleted contact': 'deleted',
      nothing: null,
    })
    const { total } = await figures(id)
    expect(total).toMatchObject({ sent: 7, bounced: 1, unsubscribed: 1 })
  })

  test('at an unsubscribing by a mail to an address that the contact no longer has', async () => {
    const bob = await add()
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [bob])
    await at(0)
    const got = days.sink.received.at(-1)
    await call(days.app.url, contacts.update, {
      ...(await as()),
      params: { id: bob },
      body: { email: 'robert@customer.example' },
    })
    const link = /<(https?:[^>]*)>/.exec(header(got, 'List-Unsubscribe') ?? '')?.[1] ?? ''
    const path = new URL(link).pathname + new URL(link).search
    const answer = await fetch(new URL(path, days.app.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(answer.status).toBe(200)
    expect(await at(1)).toEqual([])
    expect(await members(id)).toMatchObject([{ state: 'stopped', reason: 'unsubscribed' }])
    const again = await running([mail(1, 'Other')])
    expect(await enrol(again, [bob])).toMatchObject({ enrolled: 0, reasons: [{ reason: 'suppressed' }] })
  })

  test('also before its last mail has left', async () => {
    const names = ['replied', 'deleted', 'taken', 'nothing']
    const ids: number[] = []
    for (const name of names) ids.push(await add(`${name}@customer.example`, name))
    const id = await running([mail(1, 'First')])
    await holdAccount(2)
    await enrol(id, ids)
    await until(async () => {
      await runDue(days.app.context)
      expect((await get(id)).members.done).toBe(4)
    })
    await answers('replied@customer.example')
    const [, gone = 0] = ids
    expect(
      (await call(days.app.url, contacts.remove, { ...(await as()), params: { id: gone } })).status,
    ).toBe(200)
    const taken = (await members(id)).find(({ name }) => name === 'taken')?.id ?? 0
    expect(await act(id, [taken], 'take_out')).toEqual({ changed: 1, unchanged: 0 })
    await takeWork(days.app.context)
    expect(await at(0, '12:30')).toEqual(['nothing@customer.example'])
    const reasons = (await members(id)).map(({ name, reason }) => [name, reason])
    expect(Object.fromEntries(reasons)).toEqual({
      replied: 'replied',
      'Deleted contact': 'deleted',
      taken: 'taken_out',
      nothing: null,
    })
    // Whoever is brought back gets the mail after all.
    expect(await act(id, [taken], 'undo_take_out')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0, '12:40')).toEqual(['taken@customer.example'])
  })

  test('goes on after a reply where the user wants that', async () => {
    const bob = await add()
    const id = await running(
      [
        mail(1, 'First'),
        wait(2, 1),
        { id: 3, kind: 'condition', if: { about: 'replied' }, met: 'next', otherwise: 'end' },
        mail(4, 'Second'),
      ],
      { stops: { reply: false, meeting: true, payment: true } },
    )
    await enrol(id, [bob])
    await at(0)
    await answers(BOB)
    expect(await at(1)).toEqual([BOB])
  })

  test('before the next mail to somebody who said no, once it has asked what they said', async () => {
    const bob = await add()
    const asks: SequenceStep = {
      id: 3,
      kind: 'condition',
      if: { about: 'intent', intent: 'not_interested' },
      met: 'next',
      otherwise: 'end',
    }
    const steps = [mail(1, 'First'), wait(2, 3), asks, tag(4, 'Said no'), mail(5, 'Why?')]
    const stops = { reply: false, meeting: false, payment: false }
    const id = await running(steps, { stops })
    await enrol(id, [bob])
    expect(await at(0)).toEqual([BOB])
    await answers(BOB, 'No thanks, we are not interested.')
    expect(await at(5)).toEqual([])
    expect(await members(id)).toMatchObject([{ state: 'stopped', reason: 'declined', why: 'They said no' }])
    const { body } = await call(days.app.url, contacts.get, { ...(await as()), params: { id: bob } })
    expect(body.tags.map(({ name }) => name)).toEqual(['Said no'])
    // Neither the user nor a tag puts them into another one.
    const other = await running([mail(1, 'Again')], { starts: [{ on: 'tag', tag: 'Fair' }], name: 'Again' })
    expect(await enrol(other, [bob])).toMatchObject({ reasons: [{ reason: 'declined', contacts: 1 }] })
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [bob], tag: 'Fair' } })
    expect(await at(6)).toEqual([])
    expect(await members(other)).toEqual([])
  })

  test('takes an answer in the conversation for one, whoever writes it', async () => {
    const bob = await add()
    const id = await running(
      [
        mail(1, 'First'),
        wait(2, 1),
        { id: 3, kind: 'condition', if: { about: 'replied' }, met: 'end', otherwise: 'next' },
        mail(4, 'You have not answered'),
      ],
      { stops: { reply: false, meeting: true, payment: true } },
    )
    await enrol(id, [bob])
    await at(0)
    const { received } = days.sink
    const reference = header(received.at(-1), 'Message-ID')
    await receive(
      days.app,
      days.ada,
      `From: Anna <anna@customer.example>\nTo: ada@muster.example\nSubject: Re: First\nMessage-ID: <a${days.year}@customer.example>\nIn-Reply-To: ${reference}\n\nBob gave me your mail. Tell me more.\n`,
    )
    expect(await at(1)).toEqual([])
    expect((await figures(id)).steps.find(({ step }) => step === 1)).toMatchObject({ replied: 1 })
  })
})
