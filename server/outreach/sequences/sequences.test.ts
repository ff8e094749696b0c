import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { sequences, type SequenceStep } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { todos } from '#contract/crm/todos.ts'
import { inTransaction } from '#server/platform/database/transaction.ts'
import { parseMail } from '#server/formats/mail-text/parse.ts'
import { call } from '../../../tests/support/client.ts'
import { ALWAYS, BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { header } from '../../../tests/support/writing.ts'
import { pauseRestoredSequences } from './hold-sequence.ts'
import { runDue } from './run-due.ts'
import { until } from '../../../tests/support/until.ts'

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
    await until(async () => {
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
    await until(async () => {
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
    await until(async () => {
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
    await until(async () => {
      const rows = await sql('SELECT state FROM deliveries WHERE user_id = $1', [days.ada.id])
      expect(rows).toEqual([{ state: 'failed' }])
    })
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

  test('sees on a contact that had replied before it was added that mail is to come', async () => {
    const bob = await add()
    await sql(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, last_received_at, replied_at)
      VALUES ($1, $2, $3, $3, $3, $3)`,
      [days.ada.id, BOB, new Date(days.clock.now().getTime() - 30 * 86_400_000)],
    )
    const asked = async () =>
      (await call(days.app.url, automaticMail.ofContact, { ...(await as()), params: { id: bob } })).body
    expect(await asked()).toMatchObject({ why_none: [{ kind: 'replied' }], next: null })
    const id = await running([wait(1, 3), mail(2, 'First')])
    await enrol(id, [bob])
    await work()
    const [member] = await members(id)
    expect(await asked()).toMatchObject({
      why_none: [],
      next: {
        sentence: 'The next step of the sequence “After the fair”: send the email “First”.',
        at: member?.next_at,
      },
    })
    expect(await at(3)).toEqual([BOB])
  })
})
