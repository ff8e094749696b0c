import { describe, expect, test } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { sequences, type SequenceStep } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { call } from '../../../tests/support/client.ts'
import { ALWAYS, BOB, mail, sequenceDays, wait } from '../../../tests/support/sequence-days.ts'
import { connectWriter, header } from '../../../tests/support/writing.ts'
import { runDue } from './run-due.ts'
import { until } from '../../../tests/support/until.ts'

/** What once went wrong in sequences, or could have. */
const days = sequenceDays({ workers: 1 })
const {
  sql,
  goTo,
  work,
  at,
  as,
  add,
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
const change = async (id: number, steps: SequenceStep[], under_way: 'old' | 'new' = 'new') =>
  call(days.app.url, sequences.update, { ...(await as()), params: { id }, body: { steps, under_way } })
const allMails = async () => sql('SELECT step FROM sequence_mails WHERE user_id = $1', [days.ada.id])

describe('a member that is paused', () => {
  test('gets nothing, also not the mail that was written before', async () => {
    const ids = [
      await add(),
      await add('eve@customer.example', 'Eve'),
      await add('kim@customer.example', 'Kim'),
    ]
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await holdAccount(2)
    await enrol(id, ids)
    await work()
    expect(await allMails()).toHaveLength(3)
    const idOf = async (name: string) => (await members(id)).find((member) => member.name === name)?.id ?? 0
    // Bob while his mail waits for the account, Eve while it is held with the whole sequence.
    expect(await act(id, [await idOf('Bob Baker')], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    await tell(id, sequences.pause)
    expect(await act(id, [await idOf('Eve')], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    await tell(id, sequences.start)
    expect(await at(0, '13:00')).toEqual(['kim@customer.example'])
    expect((await members(id)).find(({ name }) => name === 'Bob Baker')).toMatchObject({
      state: 'paused',
      step: 1,
    })
    await act(id, [await idOf('Bob Baker'), await idOf('Eve')], 'go_on')
    expect(await at(0, '13:10')).toEqual([BOB, 'eve@customer.example'])
    expect(header(days.sink.received[0], 'Subject')).toBe('First')
  })

  test('can be paused also once its last mail is written', async () => {
    const id = await running([mail(1, 'First')])
    await holdAccount(2)
    await enrol(id, [await add()])
    await work()
    const [bob] = await members(id)
    expect(bob?.state).toBe('done')
    expect(await act(id, [bob?.id ?? 0], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0, '13:00')).toEqual([])
    await act(id, [bob?.id ?? 0], 'go_on')
    expect(await at(0, '13:10')).toEqual([BOB])
    expect((await members(id))[0]?.state).toBe('done')
  })
})

describe('steps of a sequence that runs', () => {
  test('are not changed to what could not be started', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [await add()])
    await at(0)
    for (const steps of [
      [],
      [wait(2, 1)],
      [mail(1, 'First'), wait(2, 1), mail(1, 'First')],
      [mail(1, 'First'), mail(3, '', { body: '' })],
      [mail(1, 'First'), mail(3, 'Second', { body: 'Hello {{ first_nam }}' })],
      [mail(1, 'First'), mail(3, 'Second', { body: 'How was [name of the fair]?' })],
    ]) {
      expect((await change(id, steps)).status).toBe(400)
      expect((await change(id, steps, 'old')).status).toBe(400)
    }
    await tell(id, sequences.pause)
    expect((await change(id, [])).status).toBe(400)
    await tell(id, sequences.start)
    expect(await at(1)).toEqual([BOB])
    expect(await at(30)).toEqual([])
    const other = await draft([mail(1, 'First')])
    expect((await change(other, [])).status).toBe(200)
  })
})

describe('what came of mails', () => {
  test('counts for one that has left, not for one that waits behind it', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, '', { same_conversation: true })])
    const bob = await add()
    const eve = await add('eve@customer.example', 'Eve')
    await enrol(id, [bob, eve])
    expect(await at(0)).toHaveLength(2)
    await goTo(1, '11:00')
    await holdAccount(5)
    await work()
    expect(await allMails()).toHaveLength(4)
    await answers(BOB)
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, 'unsubscribed', $3)`,
      [days.ada.id, 'eve@customer.example', days.clock.now()],
    )
    await work()
    expect(await allMails()).toHaveLength(2)
    expect((await figures(id)).total).toMatchObject({ sent: 2, replied: 1, unsubscribed: 1 })
  })
})

describe('a mail with a gap', () => {
  test('waits and says why; it leaves once the contact is complete', async () => {
    const bob = await add(BOB, 'Bob Baker', { company: '' })
    const eve = await add('eve@customer.example', 'Eve Ash')
    const id = await running([mail(1, 'First', { body: 'Hello, how are things at {{ company }}?' })])
    await enrol(id, [bob, eve])
    expect(await at(0)).toEqual(['eve@customer.example'])
    expect((await members(id)).find(({ email }) => email === BOB)).toMatchObject({
      state: 'active',
      step: 1,
      why: 'This email would have a gap: company. It leaves once that is filled in.',
    })
    const body = { name: 'Bob Baker', email: BOB, company: 'Bakery' }
    // It is told at its step, and no forecast and no "next" counts it.
    const [step] = (await figures(id)).steps
    expect(step).toMatchObject({ step: 1, waiting: 0, with_gap: 1, sent: 1 })
    expect(await get(id)).toMatchObject({ next_at: null, members: { active: 1 } })
    expect(
      (await call(days.app.url, sequences.forecast, { ...(await as()), params: { id }, body: {} })).body
        .mails,
    ).toBe(0)
    await call(days.app.url, contacts.update, { ...(await as()), params: { id: bob }, body })
    expect(await at(0, '10:01')).toEqual([BOB])
    expect(days.sink.received[0]?.raw.toString()).toContain('how are things at Bakery?')
  })

  test('says why also when its hours are over, and leaves once the template has a default', async () => {
    const made = await call(days.app.url, templates.add, {
      ...(await as()),
      body: { name: 'Bread', subject: 'Bread', body: 'How are things at {{ company }}?' },
    })
    const hours = { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 }
    const id = await running([mail(1, '', { template_id: made.body.id, body: '' })], { hours })
    await enrol(id, [await add(BOB, 'Bob Baker', { company: '' })])
    expect(await at(0, '16:55')).toEqual([])
    expect(await at(0, '20:00')).toEqual([])
    expect(await members(id)).toMatchObject([
      { why: expect.stringContaining('a gap: company'), next_at: null },
    ])
    expect(await at(1, '09:30')).toEqual([])
    const body = { body: 'How are things at {{ company | default: "your place" }}?' }
    await call(days.app.url, templates.update, { ...(await as()), params: { id: made.body.id }, body })
    expect(await at(1, '09:31')).toEqual([BOB])
  })

  test('or with a template that was deleted waits, and is not foreseen; it leaves once the template is back', async () => {
    const made = await call(days.app.url, templates.add, {
      ...(await as()),
      body: { name: 'Bread', subject: 'Bread', body: 'How are things?' },
    })
    const params = { id: made.body.id }
    const id = await running([wait(1, 2, 'hours'), mail(2, '', { template_id: made.body.id, body: '' })])
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([])
    expect((await call(days.app.url, templates.remove, { ...(await as()), params })).status).toBe(200)
    expect(await at(0, '12:05')).toEqual([])
    expect(await members(id)).toMatchObject([
      { state: 'active', step: 2, next_at: null, why: 'The template of this step was deleted.' },
    ])
    expect((await figures(id)).steps.find(({ step }) => step === 2)).toMatchObject({
      waiting: 0,
      with_gap: 1,
    })
    expect(await get(id)).toMatchObject({ next_at: null })
    const foreseen = await call(days.app.url, sequences.forecast, {
      ...(await as()),
      params: { id },
      body: {},
    })
    expect(foreseen.body.mails).toBe(0)
    // Nobody looks at it every ten minutes.
    expect(await at(0, '12:30')).toEqual([])
    expect((await call(days.app.url, templates.restore, { ...(await as()), params })).status).toBe(200)
    expect(await at(0, '12:31')).toEqual([BOB])
  })

  test('or with square brackets left in its template waits until they are filled in', async () => {
    const made = await call(days.app.url, templates.add, {
      ...(await as()),
      body: { name: 'Fair', subject: 'Fair', body: 'How was the fair?' },
    })
    const params = { id: made.body.id }
    const change = async (body: string) =>
      call(days.app.url, templates.update, { ...(await as()), params, body: { body } })
    const id = await running([mail(1, '', { template_id: made.body.id, body: '' })])
    expect((await change('How was [name of the fair]?')).status).toBe(200)
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([])
    expect(await members(id)).toMatchObject([
      { next_at: null, why: expect.stringContaining('[name of the fair]') },
    ])
    expect((await change('How was the fair?')).status).toBe(200)
    expect(await at(0, '10:01')).toEqual([BOB])
  })

  test('takes no turn from those whose mail has none', async () => {
    // A slot takes 200.
    const ids = await days.addMany(3000)
    const complete = ids.filter((_, place) => place % 3 === 2)
    await sql(`UPDATE contacts SET company = 'Bakery' WHERE id = ANY($1::bigint[])`, [complete])
    const id = await running([mail(1, 'First', { body: 'How are things at {{ company }}?' })])
    await enrol(id, ids)
    for (const time of ['10:00', '10:10', '10:20', '10:30', '10:40'])
      expect(await at(0, time)).toHaveLength(200)
  })

  test('is also one without a subject that has no mail before it to answer', async () => {
    const id = await running([wait(8, 1), mail(5, 'First')])
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([])
    const answer = mail(5, '', { same_conversation: true, body: 'Did you see my mail?' })
    expect((await change(id, [mail(1, 'New'), wait(8, 1), answer])).status).toBe(200)
    expect(await at(1, '10:05')).toEqual([])
    expect(await members(id)).toMatchObject([{ state: 'active', why: expect.stringContaining('subject') }])
    expect((await change(id, [mail(1, 'New'), wait(8, 1), { ...answer, subject: 'A word' }])).status).toBe(
      200,
    )
    expect(await at(1, '10:20')).toEqual([BOB])
    expect(header(days.sink.received[0], 'Subject')).toBe('A word')
  })

  test('is none where the subject of an answer would be empty: it has that of the mail before', async () => {
    const bob = await add(BOB, 'Bob Baker', { company: '' })
    const answer = mail(3, '{{ company }}', { same_conversation: true, body: 'Did you see my mail?' })
    const id = await running([mail(1, 'First'), wait(2, 1), answer])
    await enrol(id, [bob])
    expect(await at(0)).toEqual([BOB])
    expect(await at(1)).toEqual([BOB])
  })
})

describe('whoever is brought back', () => {
  test('begins when they were taken out of a draft that has begun since', async () => {
    const id = await draft([mail(1, 'First')])
    await enrol(id, [await add()])
    const [bob] = await members(id)
    await act(id, [bob?.id ?? 0], 'take_out')
    await tell(id, sequences.start)
    expect(await at(0)).toEqual([])
    expect(await act(id, [bob?.id ?? 0], 'undo_take_out')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0, '10:10')).toEqual([BOB])
  })

  test('is paused if they were paused when adding them was undone', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    const { enrolment } = await enrol(id, [await add()])
    expect(await at(0)).toEqual([BOB])
    const [bob] = await members(id)
    await act(id, [bob?.id ?? 0], 'pause')
    await call(days.app.url, sequences.undoEnrol, {
      ...(await as()),
      params: { id },
      body: { enrolment: enrolment ?? '' },
    })
    expect(await members(id)).toMatchObject([{ state: 'stopped' }])
    expect(await act(id, [bob?.id ?? 0], 'undo_take_out')).toEqual({ changed: 1, unchanged: 0 })
    expect(await members(id)).toMatchObject([{ state: 'paused' }])
    expect(await at(2)).toEqual([])
  })

  test('is not left standing for good where no step is left', async () => {
    const id = await running([mail(1, 'First'), { id: 3, kind: 'task', title: 'Call', due_in_days: 0 }])
    await holdAccount(60)
    await enrol(id, [await add()])
    await work()
    await change(id, [mail(9, 'Other'), { id: 3, kind: 'task', title: 'Call', due_in_days: 0 }])
    const [bob] = await members(id)
    expect(bob?.state).toBe('done')
    expect(await act(id, [bob?.id ?? 0], 'take_out')).toEqual({ changed: 1, unchanged: 0 })
    await act(id, [bob?.id ?? 0], 'undo_take_out')
    await work()
    const rows = await sql(
      `SELECT FROM sequence_members WHERE user_id = $1 AND state = 'active' AND (step IS NULL OR due_at IS NULL)`,
      [days.ada.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a note that cannot be worked off', () => {
  test('keeps neither the other notes of its user nor those of others', async () => {
    const id = await running([mail(1, 'First')], { starts: [{ on: 'tag', tag: 'Fair' }] })
    const ids = await days.addMany(3)
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids, tag: 'Fair' } })
    // No member can have come in this way: the database refuses it.
    await sql(
      `INSERT INTO sequence_work (user_id, kind, what, sequence_id, contact_id) VALUES ($1, 'start', 'magic', $2, $3)`,
      [days.ada.id, id, await add()],
    )
    const more = await days.addMany(2, 'late')
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: more, tag: 'Fair' } })
    const other = await connectWriter(days.app, days.sink)
    await sql(
      `INSERT INTO sequence_work (user_id, kind, what, contact_id) VALUES ($1, 'stop', 'deleted', 1)`,
      [other.id],
    )
    expect(await at(0, '10:05')).toHaveLength(5)
    expect(await sql('SELECT what FROM sequence_work')).toEqual([{ what: 'magic' }])
    // It is tried again, and nothing else is worse off for it.
    expect(await at(0, '10:20')).toEqual([])
    expect(await sql('SELECT what FROM sequence_work')).toEqual([{ what: 'magic' }])
    await sql('DELETE FROM sequence_work')
  })

  test('goes with its user', async () => {
    const other = await connectWriter(days.app, days.sink)
    await sql(
      `INSERT INTO sequence_work (user_id, kind, what, contact_id, not_before) VALUES ($1, 'stop', 'deleted', 1, 'infinity')`,
      [other.id],
    )
    await sql('DELETE FROM users WHERE id = $1', [other.id])
    expect(await sql('SELECT FROM sequence_work WHERE user_id = $1', [other.id])).toEqual([])
  })
})

test('a contact with a new address has been in the sequence, or is still in it', async () => {
  const id = await running([mail(1, 'First')])
  const slow = await running([wait(1, 30), mail(2, 'First')])
  const bob = await add()
  for (const sequence of [id, slow]) await enrol(sequence, [bob])
  expect(await at(0, '10:05')).toEqual([BOB])
  const body = { email: 'bob@other.example' }
  await call(days.app.url, contacts.update, { ...(await as()), params: { id: bob }, body })
  const reasons = async (sequence: number) => (await enrol(sequence, [bob])).reasons
  expect(await reasons(id)).toEqual([{ reason: 'was_in', contacts: 1 }])
  expect(await reasons(slow)).toEqual([{ reason: 'already_in', contacts: 1 }])
  expect(await at(1)).toEqual([])
})

describe('a contact that is deleted', () => {
  const remove = async (ids: number[]) =>
    (await call(days.app.url, contacts.removeMany, { ...(await as()), body: { ids } })).body
  const undo = async (act_id: number) =>
    call(days.app.url, contacts.undoMany, { ...(await as()), params: { id: act_id } })

  test('and added again has been in the sequence', async () => {
    const id = await running([mail(1, 'First')], { starts: [{ on: 'contact' }] })
    const bob = await add()
    expect(await at(0, '10:05')).toEqual([BOB])
    await remove([bob])
    await work()
    const again = await add('BOB@customer.example', 'Robert')
    expect(await at(1)).toEqual([])
    expect(await enrol(id, [again])).toMatchObject({ enrolled: 0, skipped: 1 })
  })

  test('goes on where it was when the deletion is undone, and held if it was held', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    const ids = [
      await add(),
      await add('eve@customer.example', 'Eve'),
      await add('kim@customer.example', 'Kim'),
    ]
    await enrol(id, ids)
    expect(await at(0, '10:05')).toHaveLength(3)
    const eve = (await members(id)).find(({ name }) => name === 'Eve')?.id ?? 0
    await act(id, [eve], 'pause')
    // Kim's second mail is written and waits for the account.
    await goTo(1, '10:10')
    await holdAccount(1)
    await work()
    const { undo_id: undoId } = await remove(ids)
    await work()
    expect((await members(id)).map(({ reason }) => reason)).toEqual(['deleted', 'deleted', 'deleted'])
    await goTo(1, '10:30')
    expect((await undo(undoId ?? 0)).status).toBe(200)
    expect(await at(1, '11:15')).toEqual([BOB, 'kim@customer.example'])
    expect((await members(id)).map(({ name, state }) => [name, state])).toEqual([
      ['Eve', 'paused'],
      ['Bob Baker', 'done'],
      ['Kim', 'done'],
    ])
  })
})

describe('mail that has not left', () => {
  test('when the hours end leaves on the next day, once', async () => {
    const hours = { ...ALWAYS, from_hour: 9, until_hour: 17 }
    const id = await running([mail(1, 'First')], { hours })
    const ids = await days.addMany(4)
    await goTo(0, '16:55')
    await holdAccount(1)
    await enrol(id, ids)
    await work()
    expect(await allMails()).toHaveLength(4)
    expect(await at(0, '18:00')).toEqual([])
    expect(await allMails()).toHaveLength(0)
    expect(await at(0, '20:00')).toEqual([])
    expect(await at(1, '09:00')).toHaveLength(4)
    expect((await figures(id)).total.sent).toBe(4)
    expect(
      await sql('SELECT DISTINCT local_day::text AS day FROM automatic_mails WHERE user_id = $1', [
        days.ada.id,
      ]),
    ).toHaveLength(1)
  })

  test('and was put off by the far server keeps its tries, and counts on the day on which it leaves', async () => {
    const hours = { ...ALWAYS, from_hour: 9, until_hour: 17 }
    days.sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '451 4.7.1 Try again later' } : undefined))
    const id = await running([mail(1, 'First')], { hours })
    await goTo(0, '16:59:30')
    await enrol(id, [await add()])
    await work()
    const [before] = await sql('SELECT email_id, attempt FROM deliveries WHERE user_id = $1', [days.ada.id])
    expect(before).toMatchObject({ attempt: 1 })
    expect(await at(0, '17:00')).toEqual([])
    days.sink.setScript(() => undefined)
    expect(await at(0, '22:00')).toEqual([])
    const nextTry = async () =>
      sql('SELECT state, next_try_at > $2 AS later FROM deliveries WHERE user_id = $1', [
        days.ada.id,
        new Date(days.clock.now().getTime() + 10 * 3_600_000),
      ])
    await expect.poll(nextTry).toEqual([{ state: 'deferred', later: true }])
    // Another sequence finds tomorrow taken.
    const other = await running([mail(1, 'Other')], { hours })
    await enrol(other, [(await members(id))[0]?.contact_id ?? 0])
    days.sink.clear()
    await goTo(1, '09:00')
    await expect.poll(() => days.sink.received.length).toBe(1)
    await work()
    expect(days.sink.received.map((each) => header(each, 'Subject'))).toEqual(['First'])
    const [after] = await sql('SELECT email_id, attempt FROM deliveries WHERE user_id = $1', [days.ada.id])
    expect(after).toMatchObject({ email_id: before?.['email_id'], attempt: 2 })
    days.sink.clear()
    expect(await at(2, '09:00')).toEqual([BOB])
  })

  test('is taken back when its account has to stand still', async () => {
    const id = await running([mail(1, 'First')])
    await holdAccount(1)
    await enrol(id, await days.addMany(3))
    await work()
    expect(await allMails()).toHaveLength(3)
    await sql(
      `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
      SELECT user_id, id, $2, 200, 20, 0 FROM mailboxes WHERE user_id = $1`,
      [days.ada.id, days.clock.now()],
    )
    expect(await at(0, '11:30')).toEqual([])
    expect(await allMails()).toHaveLength(0)
    await sql('UPDATE automatic_mail_stops SET stopped_at = NULL, counted_from = $2 WHERE user_id = $1', [
      days.ada.id,
      days.clock.now(),
    ])
    expect(await at(0, '11:45')).toHaveLength(3)
  })

  test('overnight, to somebody who has another automatic email that day, waits for the day after', async () => {
    const id = await running([mail(1, 'First')])
    await goTo(0, '23:50')
    await holdAccount(1)
    await enrol(id, [await add()])
    await work()
    // Another source took the new day first.
    await sql(
      `INSERT INTO automatic_mails (user_id, address_key, local_day, contact_id, mailbox_id, source, reserved_at)
      SELECT user_id, address_key, local_day + 1, contact_id, mailbox_id, 'run', reserved_at FROM automatic_mails WHERE user_id = $1`,
      [days.ada.id],
    )
    expect(await at(1, '00:55')).toEqual([])
    expect(await at(1, '12:00')).toEqual([])
    expect(await at(2, '12:00')).toEqual([BOB])
  })
})

describe('sequences on one account', () => {
  test('share each slot, and what one leaves the other takes', async () => {
    // Ten mails in a slot. Both begin with their hours, and so at once.
    await sql('UPDATE mailboxes SET hourly_limit = 60 WHERE user_id = $1', [days.ada.id])
    await holdAccount(5)
    const hours = { ...ALWAYS, from_hour: 11 }
    const [one, two] = [
      await running([mail(1, 'One')], { hours }),
      await running([mail(1, 'Two')], { hours }),
    ]
    await enrol(one, await days.addMany(12, 'one'))
    await enrol(two, await days.addMany(8, 'two'))
    await work()
    await goTo(0, '11:00')
    const written = async (id: number) =>
      (await sql('SELECT FROM sequence_mails WHERE user_id = $1 AND sequence_id = $2', [days.ada.id, id]))
        .length
    await work()
    expect([await written(one), await written(two)]).toEqual([5, 5])
    // Nothing more is written while those wait, and then each has its turn again: the second has only three left.
    await goTo(0, '12:00')
    await sql(`UPDATE deliveries SET state = 'sent', queue = NULL, settled_at = $2 WHERE user_id = $1`, [
      days.ada.id,
      days.clock.now(),
    ])
    await work()
    expect([await written(one), await written(two)]).toEqual([12, 8])
    // None of them is to arrive in the middle of another test.
    await tell(one, sequences.end)
    await tell(two, sequences.end)
  })
})

describe('a sequence in the hours of the reader', () => {
  test('writes to each in the morning of their own place', async () => {
    const hours = { ...ALWAYS, from_hour: 9, until_hour: 11, zone: 'reader' as const }
    const id = await running([mail(1, 'First')], { hours })
    await enrol(id, [
      await add('berlin@customer.example', 'Bea'),
      await add('tokyo@customer.example', 'Ken', { phone: '+81 3-3224-5000' }),
      await add('shop@customer.co.uk', 'Una'),
    ])
    // Ten in Berlin is nine in London and six in the evening in Tokyo.
    expect(await at(0, '10:00')).toEqual(['berlin@customer.example', 'shop@customer.co.uk'])
    expect(await at(0, '23:00')).toEqual([])
    expect(await at(1, '01:30')).toEqual(['tokyo@customer.example'])
    expect((await days.get(id)).hours).toEqual(hours)
  })

  test('does not write at their night when it goes on after a pause', async () => {
    const hours = { ...ALWAYS, from_hour: 9, until_hour: 17, zone: 'reader' as const }
    const id = await running([mail(1, 'First')], { hours })
    // Fifteen in Berlin is nine in New York.
    await goTo(0, '15:30')
    await holdAccount(2)
    await enrol(id, [await add('york@customer.example', 'Una', { phone: '+1 212-736-5000' })])
    await until(async () => {
      await runDue(days.app.context)
      expect(await allMails()).toHaveLength(1)
    })
    await tell(id, sequences.pause)
    await goTo(1, '06:00')
    await tell(id, sequences.start)
    expect(await at(1, '06:05')).toEqual([])
    expect(await at(1, '15:10')).toEqual(['york@customer.example'])
  })

  test('says so where the user’s own hours never meet the reader’s', async () => {
    const limited = { limited: true, days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 }
    await call(days.app.url, automaticMail.saveHours, { ...(await as()), body: limited })
    const id = await running([mail(1, 'First')], {
      hours: { ...ALWAYS, from_hour: 9, until_hour: 11, zone: 'reader' },
    })
    await enrol(id, [await add('tokyo@customer.example', 'Ken', { phone: '+81 3-3224-5000' })])
    expect(await at(0, '10:00')).toEqual([])
    expect((await members(id))[0]).toMatchObject({
      state: 'active',
      why: 'Your sending hours and the hours in which they read never meet.',
    })
  })
})
