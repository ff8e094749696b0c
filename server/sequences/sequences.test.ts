import { Temporal } from 'temporal-polyfill'
import { describe, expect, test, vi } from 'vitest'
import { contactImports } from '#contract/contact-imports.ts'
import { briefs } from '#contract/briefs.ts'
import { contacts } from '#contract/contacts.ts'
import { mailboxSetup } from '#contract/mailbox-setup.ts'
import { meetings } from '#contract/meetings.ts'
import { invoices } from '#contract/saved-invoices.ts'
import { sequences, type SequenceStep } from '#contract/sequences.ts'
import { TAGS_MAX } from '#contract/tags.ts'
import { templates } from '#contract/templates.ts'
import { todos } from '#contract/todos.ts'
import { inTransaction } from '#server/database/transaction.ts'
import { ingestRaw } from '#server/emails/emails.ts'
import { parseMail } from '#server/mail/parse.ts'
import { call } from '../../tests/support/client.ts'
import { uploadImport } from '../../tests/support/csv.ts'
import { anInvoice } from '../../tests/support/invoices.ts'
import { setPlan } from '../../tests/support/plans.ts'
import { ALWAYS, BOB, mail, sequenceDays, tag, wait } from '../../tests/support/sequence-days.ts'
import { connectTo, header, receive } from '../../tests/support/writing.ts'
import { pauseRestoredSequences } from './pause-restored.ts'
import { resetAfterPractice } from './reset-practice.ts'
import { runDue } from './run-due.ts'
import { takeWork } from './take-work.ts'

const days = sequenceDays({ workers: 2 })
const {
  sql,
  goTo,
  work,
  at,
  as,
  add,
  addMany,
  draft,
  running,
  tell,
  enrol,
  members,
  act,
  figures,
  get,
  holdAccount,
  answers,
} = days

describe('a sequence', () => {
  test('goes from its first mail to its end, in one conversation, on its days and in its hours', async () => {
    const bob = await add()
    const body = { name: 'Second', subject: 'Second', body: 'And you, {{ company }}?' }
    const own = await call(days.app.url, templates.add, { ...(await as()), body })
    const id = await draft(
      [
        mail(1, 'First'),
        wait(2, 3),
        mail(3, '', { same_conversation: true, body: 'Did you see my mail?' }),
        wait(4, 2, 'working_days'),
        mail(5, '', { template_id: own.body.id, body: '' }),
        { id: 6, kind: 'task', title: 'Call {{ first_name }}', due_in_days: 2 },
        tag(7, 'Asked'),
      ],
      { hours: { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 } },
    )
    expect(await enrol(id, [bob])).toMatchObject({ enrolled: 1, skipped: 0 })
    expect(await at(0, '10:30')).toEqual([])
    await goTo(0, '18:00')
    expect((await tell(id, sequences.start)).body.state).toBe('running')
    expect((await members(id))[0]).toMatchObject({ state: 'active', step: 1 })
    expect(await at(0, '18:01')).toEqual([])
    expect(await at(1, '08:59')).toEqual([])
    expect(await at(1, '09:00')).toEqual([BOB])
    const first = days.sink.received[0]
    expect(first?.raw.toString()).toContain('Hello Bob, this is First.')
    expect(header(first, 'List-Unsubscribe')).toContain('unsubscribe')
    // Three days later is a Friday.
    expect(await at(4, '08:59')).toEqual([])
    expect(await at(4, '09:00')).toEqual([BOB])
    const second = days.sink.received[0]
    expect(header(second, 'Subject')).toBe('Re: First')
    expect(header(second, 'In-Reply-To')).toBe(header(first, 'Message-ID'))
    expect(header(second, 'References')).toBe(header(first, 'Message-ID'))
    // Two working days after a Friday is a Tuesday.
    expect(await at(7)).toEqual([])
    expect(await at(8)).toEqual([BOB])
    expect(header(days.sink.received[0], 'Subject')).toBe('Second')
    expect(days.sink.received[0]?.raw.toString()).toContain('And you, Bakery?')
    expect((await members(id))[0]).toMatchObject({ state: 'done', step: null, next_at: null })
    const [task] = (await call(days.app.url, todos.list, await as())).body
    const due = Temporal.PlainDate.from(days.begin).add({ days: 10 }).toString()
    expect(task).toMatchObject({ title: 'Call Bob', due_date: due, contact: { id: bob } })
    const contact = (await call(days.app.url, contacts.get, { ...(await as()), params: { id: bob } })).body
    expect(contact.tags.map(({ name }) => name)).toEqual(['Asked'])
    expect((await figures(id)).steps.map(({ step, sent }) => [step, sent])).toEqual([
      [1, 1],
      [3, 1],
      [5, 1],
    ])
    expect(await at(30)).toEqual([])
    expect(await enrol(id, [bob])).toMatchObject({
      enrolled: 0,
      reasons: [{ reason: 'was_in', contacts: 1 }],
    })
  })

  test('greets in the language of “About you”, and tells in it how to unsubscribe', async () => {
    const brief = { audience: '', benefit: '', proof: '', ask: '', tone: 'friendly', language: 'de' } as const
    const body = { ...brief, offer: 'Wir backen Brot.', signature: '' }
    expect((await call(days.app.url, briefs.save, { ...(await as()), body })).status).toBe(200)
    const id = await running([mail(1, 'Brot', { body: '{{ greeting }},\n\nwir backen um vier.' })])
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([BOB])
    const { text } = await parseMail(days.sink.received[0]?.raw ?? Buffer.from(''))
    expect(text).toMatch(
      /^Hallo Bob,\n\nwir backen um vier\.\n\n--\nSie möchten keine solchen E-Mails\? http/,
    )
  })

  test('asks how to go on', async () => {
    const [warm = 0, cold = 0] = await addMany(2)
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [warm], tag: 'Warm' } })
    const id = await running([
      { id: 1, kind: 'condition', if: { about: 'tag', tag: 'warm' }, met: 3, otherwise: 'next' },
      tag(2, 'Cold'),
      mail(3, 'First'),
    ])
    await enrol(id, [warm, cold])
    expect(await at(0)).toHaveLength(2)
    const rows = await sql(
      `SELECT c.contact_id AS id FROM contact_tags c JOIN tags t ON t.user_id = c.user_id AND t.id = c.tag_id
      WHERE c.user_id = $1 AND t.name_key = 'cold'`,
      [days.ada.id],
    )
    expect(rows).toEqual([{ id: cold }])
  })
})

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

  test('also before its last mail has left', async () => {
    const names = ['replied', 'deleted', 'taken', 'nothing']
    const ids: number[] = []
    for (const name of names) ids.push(await add(`${name}@customer.example`, name))
    const id = await running([mail(1, 'First')])
    await holdAccount(2)
    await enrol(id, ids)
    await vi.waitFor(async () => {
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
})

describe('a contact comes in', () => {
  const steps = [mail(1, 'First')]

  test('when it is new, but not when it was there before', async () => {
    await add('before@customer.example', 'Before')
    await running(steps, { starts: [{ on: 'contact' }] })
    await add()
    expect(await at(0)).toEqual([BOB])
  })

  test('when it is tagged, gets a status, or replies with an intent', async () => {
    const [one = 0, two = 0] = await addMany(2)
    await running(steps, { starts: [{ on: 'tag', tag: 'Fair' }], name: 'Tagged' })
    await running(steps, { starts: [{ on: 'status', status: 'active' }], name: 'Active' })
    const asked = await running(steps, { starts: [{ on: 'intent', intent: 'interested' }], name: 'Asked' })
    expect(await at(0)).toEqual([])
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'fair' } })
    expect(await at(0)).toEqual(['person1@customer.example'])
    await call(days.app.url, contacts.update, {
      ...(await as()),
      params: { id: two },
      body: { status: 'active' },
    })
    expect(await at(0)).toEqual(['person2@customer.example'])
    await answers('person2@customer.example', 'Yes, I am very interested! Please send me an offer.')
    await work()
    expect(await members(asked)).toMatchObject([{ contact_id: two, started_by: 'intent' }])
  })

  test('once, also if the sequence gives the tag that starts it; and again only after the days that were chosen', async () => {
    const [one = 0] = await addMany(1)
    const id = await running([tag(1, 'Fair', 'remove'), tag(2, 'Fair'), mail(3, 'First')], {
      starts: [{ on: 'tag', tag: 'Fair' }],
      again_after_days: 5,
    })
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'Fair' } })
    expect(await at(0)).toHaveLength(1)
    expect(await members(id)).toHaveLength(1)
    expect(await at(2)).toEqual([])
    expect(await enrol(id, [one])).toMatchObject({ reasons: [{ reason: 'was_in' }] })
    await goTo(6, '10:00')
    expect(await enrol(id, [one])).toMatchObject({ enrolled: 1 })
    expect(await at(6)).toHaveLength(1)
  })

  test('is not sent round by sequences that start each other', async () => {
    const [one = 0] = await addMany(1)
    const ids: number[] = []
    for (let number = 1; number <= 8; number += 1)
      ids.push(
        await running([tag(1, `Link ${number + 1}`), wait(2, 9), mail(3, 'First')], {
          starts: [{ on: 'tag', tag: `Link ${number}` }],
        }),
      )
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'Link 1' } })
    await work()
    const reasons = []
    for (const id of ids) reasons.push((await members(id)).map(({ state, reason }) => reason ?? state)[0])
    expect(reasons).toEqual(['active', 'active', 'active', 'active', 'active', 'active', 'chain', undefined])
  })

  test('not when a deletion, an untagging or an import is undone', async () => {
    const ids = await addMany(4)
    const body = { ids, tag: 'Fair' }
    await call(days.app.url, contacts.tagMany, { ...(await as()), body })
    const id = await running(steps, {
      starts: [
        { on: 'tag', tag: 'Fair' },
        { on: 'status', status: 'active' },
      ],
    })
    const undo = async (undoId: number | null) =>
      (await call(days.app.url, contacts.undoMany, { ...(await as()), params: { id: undoId ?? 0 } })).body
        .restored
    const gone = await call(days.app.url, contacts.removeMany, { ...(await as()), body: { ids } })
    expect(await undo(gone.body.undo_id)).toBe(4)
    const untagged = await call(days.app.url, contacts.untagMany, { ...(await as()), body })
    expect(await undo(untagged.body.undo_id)).toBe(4)
    await sql(`UPDATE contacts SET status = 'active' WHERE id = $1`, [ids[0]])
    await sql('DELETE FROM sequence_work WHERE user_id = $1', [days.ada.id])
    const { token } = await as()
    const file = await uploadImport(days.app.url, token, 'Mail,Status\nperson1@customer.example,inactive\n')
    const params = { id: file.body.id }
    const ran = await call(days.app.url, contactImports.run, {
      token,
      params,
      body: { meanings: ['email', 'status'], duplicates: 'update' },
    })
    expect(ran.body).toMatchObject({ updated: 1 })
    expect((await call(days.app.url, contactImports.undo, { token, params })).body.restore).toBe(1)
    expect(await at(0)).toEqual([])
    expect(await members(id)).toEqual([])
    const late = await add()
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [late], tag: 'Fair' } })
    expect(await at(0)).toEqual([BOB])
  })

  test('with 5,000 others that are tagged at once, in seconds', async () => {
    const ids = await addMany(5000)
    const id = await running([wait(1, 9), mail(2, 'First')], { starts: [{ on: 'tag', tag: 'Fair' }] })
    const begun = performance.now()
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids, tag: 'Fair' } })
    await work()
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await get(id)).members.active).toBe(5000)
  })
})

describe('the engine', () => {
  test('does each step once, with two workers and 500 members that are due', async () => {
    const ids = await addMany(500)
    const id = await draft([tag(1, 'Asked'), mail(2, 'First'), wait(3, 1), mail(4, 'Second')])
    await enrol(id, ids)
    await tell(id, sequences.start)
    await at(0)
    for (const minutes of [10, 20, 30]) await at(0, `10:${minutes}`)
    expect((await figures(id)).steps.map(({ sent }) => sent)).toEqual([500, 0])
    const rows = await sql('SELECT count(*)::int AS mails FROM sequence_mails WHERE user_id = $1', [
      days.ada.id,
    ])
    expect(rows).toEqual([{ mails: 500 }])
    expect((await members(id)).every(({ step }) => step === 4)).toBe(true)
  })

  test('loses and doubles nothing when a round is cut off, and other sequences go on', async () => {
    const ids = await addMany(20)
    const [one = 0] = await addMany(1, 'other')
    await sql(
      `CREATE FUNCTION fail_now() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$`,
    )
    await sql(
      'CREATE TRIGGER cut_off AFTER INSERT ON sequence_mails FOR EACH STATEMENT EXECUTE FUNCTION fail_now()',
    )
    const id = await draft([tag(1, 'Asked'), mail(2, 'First')])
    await enrol(id, ids)
    await tell(id, sequences.start)
    days.clock.forward(1000)
    const other = await running([tag(1, 'Other'), wait(2, 9), mail(3, 'First')])
    await enrol(other, [one])
    // Until a worker has put the step off whose round was cut off: at this time, not at the one that comes next.
    await vi.waitFor(
      async () => {
        await runDue(days.app.context)
        const due = await sql(
          'SELECT FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2',
          [days.ada.id, days.clock.now()],
        )
        expect(due).toEqual([])
      },
      { timeout: 20_000 },
    )
    expect(await sql('SELECT FROM automatic_mails WHERE user_id = $1', [days.ada.id])).toEqual([])
    expect((await members(other))[0]).toMatchObject({ state: 'active', step: 3 })
    await sql('DROP TRIGGER cut_off ON sequence_mails')
    await sql('DROP FUNCTION fail_now')
    expect(await at(0, '10:15')).toHaveLength(20)
    expect(await at(0, '10:30')).toEqual([])
  })

  test('passes over a tag for which the list of tags has no room', async () => {
    const bob = await add()
    await sql(
      `INSERT INTO tags (user_id, name, name_key, colour, created_at)
      SELECT $1, 'Tag ' || n, 'tag ' || n, 'gray', $2 FROM generate_series(1, $3::int) AS n`,
      [days.ada.id, days.clock.now(), TAGS_MAX],
    )
    const id = await running([tag(1, 'One more'), tag(2, 'Tag 1'), mail(3, 'First')])
    await enrol(id, [bob])
    expect(await at(0)).toEqual([BOB])
    const contact = (await call(days.app.url, contacts.get, { ...(await as()), params: { id: bob } })).body
    expect(contact.tags.map(({ name }) => name)).toEqual(['Tag 1'])
  })

  test('spreads what has waited for a week without an account', async () => {
    const ids = await addMany(450)
    const id = await running([wait(1, 1, 'hours'), mail(2, 'First')])
    await enrol(id, ids)
    await work()
    await sql('UPDATE mailboxes SET disconnected_at = $2 WHERE user_id = $1', [days.ada.id, days.clock.now()])
    expect(await at(1)).toEqual([])
    expect((await members(id))[0]).toMatchObject({ state: 'active', why: 'No email account is connected.' })
    await sql('UPDATE mailboxes SET disconnected_at = NULL WHERE user_id = $1', [days.ada.id])
    expect(await at(8)).toHaveLength(200)
    expect(await at(8, '10:05')).toEqual([])
    expect(await at(8, '10:10')).toHaveLength(200)
    expect(await at(8, '10:20')).toHaveLength(50)
  })

  test('counts a wait from when the mail before it left, if it left late', async () => {
    const bob = await add()
    const id = await running([mail(1, 'First'), wait(2, 3), mail(3, 'Second')])
    await holdAccount(48)
    await enrol(id, [bob])
    await vi.waitFor(async () => {
      await runDue(days.app.context)
      expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(1)
    })
    expect(await at(2, '10:30')).toEqual([BOB])
    expect(await at(3, '10:30')).toEqual([])
    const next = new Date((await members(id))[0]?.next_at ?? 0)
    expect(next.getTime()).toBeGreaterThan(days.clock.now().getTime() + 47 * 3_600_000)
    expect(await at(5, '10:20')).toEqual([])
    expect(await at(5, '10:40')).toEqual([BOB])
    expect(header(days.sink.received[0], 'Subject')).toBe('Second')
  })

  test('sends through no other account than the chosen one', async () => {
    const bob = await add()
    await setPlan(days.app, days.ada, 'starter')
    const added = await call(days.app.url, mailboxSetup.addAccount, {
      ...(await as()),
      body: {
        smtp_host: '127.0.0.1',
        smtp_port: days.sink.port,
        smtp_username: 'second',
        smtp_password: 'secret',
        smtp_from: 'second@muster.example',
        smtp_use_tls: false,
      },
    })
    expect(added.status).toBe(200)
    const chosen = added.body.id
    const id = await running([wait(1, 1, 'hours'), mail(2, 'First')], { mailbox_id: chosen })
    await enrol(id, [bob])
    await work()
    const disconnect = async (time: Date | null) =>
      sql('UPDATE mailboxes SET disconnected_at = $3 WHERE user_id = $1 AND id = $2', [
        days.ada.id,
        chosen,
        time,
      ])
    await disconnect(days.clock.now())
    expect(await at(1)).toEqual([])
    expect((await members(id))[0]).toMatchObject({ state: 'active', why: 'No email account is connected.' })
    await disconnect(null)
    expect(await at(1, '10:10')).toEqual([BOB])
    expect(header(days.sink.received[0], 'From')).toContain('second@muster.example')
  })

  test('writes no more than a few mails to an account that cannot send, and no second one behind the first', async () => {
    const ids = await addMany(5)
    await sql('UPDATE mailboxes SET hourly_limit = 12 WHERE user_id = $1', [days.ada.id])
    const id = await running([
      mail(1, 'First'),
      wait(2, 1, 'hours'),
      mail(3, 'Second'),
      wait(4, 9),
      mail(5, 'Third'),
    ])
    await holdAccount(30)
    await enrol(id, ids)
    for (const [day, time] of [
      [0, '10:00'],
      [0, '10:10'],
      [0, '10:20'],
      [1, '11:00'],
    ] as const) {
      await goTo(day, time)
      await vi.waitFor(async () => {
        await runDue(days.app.context)
        const due = 'SELECT FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2'
        expect(await sql(due, [days.ada.id, days.clock.now()])).toEqual([])
      })
    }
    expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(2)
    expect(
      (await members(id)).filter(({ why }) => why === 'The email before it has not left yet.'),
    ).toHaveLength(2)
    await sql('UPDATE mailboxes SET hourly_limit = NULL WHERE user_id = $1', [days.ada.id])
    expect(new Set(await at(1, '17:00')).size).toBe(5)
  })

  test('sends as many mails on each day as was foreseen', async () => {
    const ids = await addMany(50)
    await sql('UPDATE mailboxes SET warm_up_from = $2 WHERE user_id = $1', [days.ada.id, days.clock.now()])
    const id = await draft([mail(1, 'First'), wait(2, 1), mail(3, 'Second'), wait(4, 2), mail(5, 'Third')], {
      hours: { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 },
    })
    await enrol(id, ids)
    const foreseen = await call(days.app.url, sequences.forecast, {
      ...(await as()),
      params: { id },
      body: { members: 50 },
    })
    expect(foreseen.body).toMatchObject({ mails: 150, complete: true, limited_by: 'warm_up' })
    await tell(id, sequences.start)
    const sent: { day: string; mails: number }[] = []
    for (let day = 0; day < 15; day += 1) {
      let mails = 0
      for (const time of ['09:00', '10:00', '13:00', '16:50'])
        if (day > 0 || time >= '10:00') mails += (await at(day, time)).length
      if (mails > 0)
        sent.push({ day: Temporal.PlainDate.from(days.begin).add({ days: day }).toString(), mails })
    }
    expect(sent).toEqual(foreseen.body.days)
  })

  test('foresees those under way, beside the other sequences that share the account', async () => {
    const ids = await addMany(60)
    await sql('UPDATE mailboxes SET warm_up_from = $2 WHERE user_id = $1', [days.ada.id, days.clock.now()])
    // Before the hours: nothing leaves while it is asked.
    await goTo(0, '08:00')
    const hours = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 9, until_hour: 11 }
    const steps = [mail(1, 'First'), wait(2, 1), mail(3, 'Second')]
    const one = await running(steps, { hours })
    const other = await running(steps, { hours })
    await enrol(one, ids.slice(0, 40))
    // Twenty are in both, and get one mail a day.
    await enrol(other, ids.slice(20))
    const foresee = async (id: number, body: { members?: number } = {}) =>
      (await call(days.app.url, sequences.forecast, { ...(await as()), params: { id }, body })).body
    const forecasts = [await foresee(one), await foresee(other)]
    expect(forecasts).toMatchObject([
      { mails: 80, complete: true, limited_by: 'warm_up' },
      { mails: 80, complete: true, limited_by: 'warm_up' },
    ])
    expect(forecasts[0]?.others).toBeGreaterThan(40)
    expect((await foresee(one, { members: 10 })).mails).toBe(100)
    const foreseen = new Map<string, number>()
    for (const { day, mails } of forecasts.flatMap((each) => each.days))
      foreseen.set(day, (foreseen.get(day) ?? 0) + mails)
    const sent = new Map<string, number>()
    for (let day = 0; day < 8; day += 1) {
      const mails: string[] = []
      for (const time of ['09:00', '10:00', '10:50']) mails.push(...((await at(day, time)) as string[]))
      const date = Temporal.PlainDate.from(days.begin).add({ days: day }).toString()
      if (mails.length > 0) sent.set(date, mails.length)
      expect(new Set(mails).size).toBe(mails.length)
    }
    expect([...sent.values()].reduce((sum, mails) => sum + mails, 0)).toBe(160)
    const last = (each: Iterable<string>) => Temporal.PlainDate.from([...each].toSorted().at(-1) ?? '')
    expect(Math.abs(last(sent.keys()).until(last(foreseen.keys())).days)).toBeLessThanOrEqual(1)
  })
})

describe('practice', () => {
  test('tries a sequence out: when it is over, the sequence is a draft again, and nobody real is written to', async () => {
    const bob = await add()
    await call(days.app.url, mailboxSetup.practice, await as())
    const id = await draft([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [bob])
    await tell(id, sequences.start)
    await work()
    expect((await figures(id)).total.sent).toBe(1)
    await connectTo(days.app, days.sink, { ...days.ada, ...(await as()) })
    expect(await at(1)).toEqual([])
    expect(await get(id)).toMatchObject({ state: 'draft', members: { active: 0, done: 0, stopped: 0 } })
  })

  test('leaves no sequence behind that is not due, is paused or has ended', async () => {
    const bob = await add()
    await call(days.app.url, mailboxSetup.practice, await as())
    const ids = []
    for (const next of [null, sequences.pause, sequences.end]) {
      const id = await running([wait(1, 90), mail(2, 'First')], { starts: [{ on: 'tag', tag: 'Fair' }] })
      await enrol(id, [bob])
      if (next !== null) await tell(id, next)
      ids.push(id)
    }
    await connectTo(days.app, days.sink, { ...days.ada, ...(await as()) })
    await resetAfterPractice(days.app.context)
    for (const id of ids)
      expect(await get(id)).toMatchObject({ state: 'draft', members: { active: 0, paused: 0, stopped: 0 } })
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [bob], tag: 'Fair' } })
    expect(await at(100)).toEqual([])
  })

  test('neither stops nor starts what is real, and the other way round', async () => {
    const people = [
      await add(),
      await add('eve@customer.example', 'Eve'),
      await add('kim@customer.example', 'Kim'),
    ]
    const starts = [{ on: 'intent', intent: 'interested' } as const]
    const steps = [wait(1, 90), mail(2, 'Later')]
    const real = await running(steps)
    await enrol(real, people)
    const realAsked = await running(steps, { starts, name: 'Asked' })
    const realTagged = await running(steps, { starts: [{ on: 'tag', tag: 'Seen' }], name: 'Tagged' })
    const [account] = await sql('SELECT id FROM mailboxes WHERE user_id = $1', [days.ada.id])
    await call(days.app.url, mailboxSetup.practice, await as())
    const practised = await running([tag(3, 'Seen'), ...steps])
    await enrol(practised, people)
    const practisedAsked = await running(steps, { starts, name: 'Asked in practice' })
    await work()
    const words = 'Yes, I am very interested! Please send me an offer.'
    const write = (from: string) =>
      `From: <${from}>\nTo: ada@muster.example\nSubject: Re: First\nMessage-ID: <${days.year}${from}>\nIn-Reply-To: <x@y>\n\n${words}\n`
    // Bob answers in practice, where Eve bounces. Kim really answers meanwhile.
    const answer = await receive(days.app, days.ada, write(BOB))
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, email_id, created_at) VALUES ($1, $2, 'bounced', $3, $4)`,
      [days.ada.id, 'eve@customer.example', answer, days.clock.now()],
    )
    await inTransaction(days.app.context.db, (tx) =>
      ingestRaw(days.app.context, tx, {
        userId: days.ada.id,
        mailboxId: Number(account?.['id']),
        raw: Buffer.from(write('kim@customer.example').replaceAll('\n', '\r\n')),
        receivedAt: days.clock.now(),
      }),
    )
    await sql(`UPDATE emails SET intent = 'interested' WHERE user_id = $1 AND direction = 'in'`, [
      days.ada.id,
    ])
    await work()
    const states = async (id: number) =>
      (await members(id)).map(({ name, reason }) => `${name}: ${reason ?? 'goes on'}`).toSorted()
    expect(await states(practised)).toEqual(['Bob Baker: replied', 'Eve: bounced', 'Kim: goes on'])
    expect(await states(real)).toEqual(['Bob Baker: goes on', 'Eve: goes on', 'Kim: replied'])
    expect(await states(practisedAsked)).toEqual(['Bob Baker: goes on'])
    expect(await states(realAsked)).toEqual(['Kim: goes on'])
    expect(await states(realTagged)).toEqual([])
  })
})

describe('the user', () => {
  test('changes steps: those under way finish with the old ones, or go on with the new', async () => {
    const bob = await add()
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second'), wait(4, 1), mail(5, 'Third')])
    await enrol(id, [bob])
    await at(0)
    const change = async (steps: SequenceStep[], under_way: 'old' | 'new', version: number) =>
      call(days.app.url, sequences.update, {
        ...(await as()),
        params: { id },
        body: { steps, under_way, version },
      })
    const newer = [mail(1, 'First'), wait(2, 1), mail(3, 'Better')]
    expect((await change(newer, 'old', 1)).body.version).toBe(2)
    expect((await change(newer, 'old', 1)).status).toBe(409)
    await at(1)
    expect(header(days.sink.received[0], 'Subject')).toBe('Second')
    // Step 5, before which Bob is, is gone: he goes on at the next that is left.
    expect((await change([mail(1, 'First'), mail(9, 'Other')], 'new', 2)).status).toBe(200)
    expect((await members(id))[0]).toMatchObject({ state: 'done', version: 3 })
    const eve = await add('eve@customer.example', 'Eve Ash')
    await enrol(id, [eve])
    expect(await at(2)).toEqual(['eve@customer.example'])
    await change([mail(9, 'Renamed')], 'new', 3)
    await at(3)
    expect(header(days.sink.received[0], 'Subject')).toBe('Renamed')
  })

  test('pauses, goes on, hurries, takes out and undoes it; pauses and ends the whole', async () => {
    const [one = 0, two = 0] = await addMany(2)
    const id = await running([wait(1, 3), mail(2, 'First'), wait(3, 3), mail(4, 'Second')])
    await enrol(id, [one, two])
    await work()
    const [first = 0, second = 0] = (await members(id)).map((member) => member.id)
    expect(await act(id, [first], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    expect(await act(id, [first, second], 'take_out')).toEqual({ changed: 2, unchanged: 0 })
    expect(await act(id, [first], 'undo_take_out')).toEqual({ changed: 1, unchanged: 0 })
    // As it was before.
    expect((await members(id)).find((member) => member.id === first)?.state).toBe('paused')
    expect(await act(id, [first], 'go_on')).toEqual({ changed: 1, unchanged: 0 })
    expect(await act(id, [first], 'next')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0)).toEqual(['person1@customer.example'])
    expect((await tell(id, sequences.pause)).body.state).toBe('paused')
    expect(await at(4)).toEqual([])
    await tell(id, sequences.start)
    expect(await at(4)).toEqual(['person1@customer.example'])
    expect((await tell(id, sequences.end)).body.state).toBe('ended')
    expect((await call(days.app.url, sequences.remove, { ...(await as()), params: { id } })).status).toBe(200)
    expect(await sql('SELECT FROM sequence_members WHERE user_id = $1', [days.ada.id])).toEqual([])
  })

  test('goes on outside its hours: what was written before the pause leaves in its hours', async () => {
    const ids = await addMany(2)
    const id = await running([mail(1, 'First')], { hours: { ...ALWAYS, from_hour: 9, until_hour: 17 } })
    await goTo(0, '16:00')
    await holdAccount(2)
    await enrol(id, ids)
    await vi.waitFor(async () => {
      await runDue(days.app.context)
      expect((await get(id)).members.done).toBe(2)
    })
    await tell(id, sequences.pause)
    await goTo(0, '20:00')
    await tell(id, sequences.start)
    expect(await at(0, '20:01')).toEqual([])
    expect((await members(id)).map(({ state, step }) => [state, step])).toEqual([
      ['active', 1],
      ['active', 1],
    ])
    expect(await at(1, '09:00')).toHaveLength(2)
    expect(await at(1, '09:30')).toEqual([])
  })

  test('ends it, and mail that has not left is taken back with its day', async () => {
    const ids = await addMany(3)
    const id = await draft([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, ids)
    await holdAccount(1)
    await tell(id, sequences.start)
    await vi.waitFor(async () => {
      await runDue(days.app.context)
      expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(3)
    })
    await tell(id, sequences.end)
    expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toEqual([])
    expect(await sql('SELECT FROM automatic_mails WHERE user_id = $1', [days.ada.id])).toEqual([])
    expect((await members(id)).map(({ reason }) => reason)).toEqual(Array(3).fill('sequence_ended'))
  })

  test('finds it paused after a restore, with the mail that has not left', async () => {
    const bob = await add()
    const id = await draft([mail(1, 'First')])
    await enrol(id, [bob])
    await holdAccount(1)
    await tell(id, sequences.start)
    await vi.waitFor(async () => {
      await runDue(days.app.context)
      expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(1)
    })
    await inTransaction(days.app.context.db, (tx) => pauseRestoredSequences(tx))
    await sql('UPDATE mailboxes SET send_pause_until = NULL WHERE user_id = $1', [days.ada.id])
    expect(await at(1)).toEqual([])
    expect((await get(id)).state).toBe('paused')
    await tell(id, sequences.start)
    expect(await at(1)).toEqual([BOB])
  })

  test('sees that a mail that may have left is not sent again to somebody who has replied', async () => {
    const bob = await add()
    const id = await running([mail(1, 'First')])
    await enrol(id, [bob])
    await at(0)
    const unsure = `state = 'unsure', queue = 'unsure', after_crash = true, settled_at = NULL`
    const later = new Date(days.clock.now().getTime() + 60_000)
    await sql(`UPDATE deliveries SET ${unsure}, next_try_at = $2 WHERE user_id = $1`, [days.ada.id, later])
    await sql(`UPDATE sequence_members SET state = 'stopped', reason = 'replied' WHERE user_id = $1`, [
      days.ada.id,
    ])
    days.sink.clear()
    await goTo(0, '12:00')
    await vi.waitFor(
      async () => {
        const rows = await sql('SELECT state FROM deliveries WHERE user_id = $1', [days.ada.id])
        expect(rows).toEqual([{ state: 'failed' }])
      },
      { timeout: 15_000 },
    )
    expect(days.sink.received).toEqual([])
  })

  test('is told what hinders a start', async () => {
    const [one = 0] = await addMany(1)
    const id = await draft([
      mail(1, 'About {{ company }}', { body: 'Hello [name of the fair]' }),
      { id: 2, kind: 'condition', if: { about: 'replied' }, met: 'end', otherwise: 'end' },
      mail(3, '', { body: '' }),
    ])
    const check = async () =>
      (await call(days.app.url, sequences.check, { ...(await as()), params: { id }, body: { ids: [one] } }))
        .body
    const { ready, problems } = await check()
    expect(ready).toBe(false)
    expect(problems.map(({ kind, step }) => [kind, step])).toEqual([
      ['advice', 3],
      ['stop', 3],
      ['stop', 3],
      ['stop', 1],
      ['advice', 2],
    ])
    expect((await tell(id, sequences.start)).status).toBe(400)
    const body = { steps: [mail(1, 'About {{ company }}')] }
    await call(days.app.url, sequences.update, { ...(await as()), params: { id }, body })
    expect(await check()).toMatchObject({
      ready: true,
      problems: [{ step: 1, contacts: 1, names: ['Person 1'] }],
    })
  })

  test('sees on a contact what is next', async () => {
    const bob = await add()
    const id = await running([wait(1, 3), mail(2, 'First')])
    await enrol(id, [bob])
    await work()
    const shown = await call(days.app.url, sequences.ofContact, { ...(await as()), params: { id: bob } })
    expect(shown.body).toMatchObject([
      { sequence: 'After the fair', next: 'Send the email “First”', member: { state: 'active', step: 2 } },
    ])
  })
})
