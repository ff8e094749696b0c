import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { TAGS_MAX } from '#contract/crm/tags.ts'
import { call } from '../../../tests/support/client.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { setPlan } from '../../../tests/support/plans.ts'
import { BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { header } from '../../../tests/support/writing.ts'
import { runDue } from './run-due.ts'
import { until } from '../../../tests/support/until.ts'

const days = sequenceDays({ workers: 2 })
const { sql, goTo, work, at, as, add, addMany, draft, running, tell, enrol, members, figures, holdAccount } =
  days

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
    await until(async () => {
      await runDue(days.app.context)
      const due = await sql('SELECT FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2', [
        days.ada.id,
        days.clock.now(),
      ])
      expect(due).toEqual([])
    })
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
    await until(async () => {
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
      body: mailAccountAt(days.sink, { login: 'second' }),
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
      await until(async () => {
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
