import { describe, expect, test } from 'vitest'
import { meetings } from '#contract/crm/meetings.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { call } from '../../../tests/support/client.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { mail, sequenceDays, wait } from '../../../tests/support/sequence-days.ts'

// Contacts that one call puts in and another takes out again, and hours over midnight.

const days = sequenceDays({ workers: 1 })
const { sql, goTo, work, as, tell, enrol } = days

/** Whom mail reaches when the engine looks at this time. */
const at = async (day: number, time: string) =>
  (await days.at(day, time)).map((address) => address?.split('@')[0])
async function people(...names: string[]) {
  const ids: number[] = []
  for (const name of names) ids.push(await days.add(`${name}@customer.example`, name))
  return ids
}
const STEPS = [mail(1, 'First'), wait(2, 1), mail(3, 'Second')]
const undo = async (id: number, enrolment: string | null) =>
  call(days.app.url, sequences.undoEnrol, {
    ...(await as()),
    params: { id },
    body: { enrolment: enrolment ?? '' },
  })
const members = async (id: number) =>
  (await days.members(id)).map(({ name, state, why }) => ({ name, state, why }))
const pauseSending = (until: Date | null) =>
  sql('UPDATE mailboxes SET send_pause_until = $2 WHERE user_id = $1', [days.ada.id, until])

describe('adding contacts', () => {
  test('asks once about those who replied, have a meeting or an unpaid invoice, then skips or adds them', async () => {
    const [ann = 0, ben = 0, cem = 0, dora = 0] = await people('ann', 'ben', 'cem', 'dora')
    const [first, id] = [await days.draft(STEPS), await days.draft(STEPS, { name: 'Second' })]
    await sql(
      `INSERT INTO correspondents (user_id, address_key, replied_at) VALUES ($1, 'ann@customer.example', $2)`,
      [days.ada.id, days.clock.now()],
    )
    const time = (hours: number) => new Date(days.clock.now().getTime() + hours * 3_600_000).toISOString()
    const meet = async (name: string, hours: number) =>
      call(days.app.url, meetings.add, {
        ...(await as()),
        body: {
          title: 'Talk',
          start_time: time(hours),
          end_time: time(hours + 1),
          type: 'phone',
          attendees: [`${name}@customer.example`],
        },
      })
    await meet('ben', 20)
    // A past meeting is no warning, nor is a draft.
    await meet('dora', -20)
    for (const [contact, isIssued] of [
      [cem, true],
      [dora, false],
    ] as const) {
      const added = await call(days.app.url, invoices.add, {
        ...(await as()),
        body: anInvoice({ contact_id: contact }),
      })
      if (isIssued)
        await call(days.app.url, invoices.issue, { ...(await as()), params: { id: added.body.id } })
    }
    const add = async (sequence: number, on_warning: 'ask' | 'add' | 'skip', ids = [ann, ben, cem, dora]) =>
      (
        await call(days.app.url, sequences.enrol, {
          ...(await as()),
          params: { id: sequence },
          body: { ids, on_warning },
        })
      ).body
    const asked = await add(first, 'ask')
    expect(asked).toMatchObject({ enrolment: null, enrolled: 0, skipped: 0, others: 1 })
    expect(asked.warnings).toEqual([
      { reason: 'replied', contacts: 1, names: ['ann'] },
      { reason: 'meeting', contacts: 1, names: ['ben'] },
      { reason: 'invoice', contacts: 1, names: ['cem'] },
    ])
    expect(await members(first)).toEqual([])
    const left = await add(first, 'skip')
    expect(left).toMatchObject({ enrolled: 1, skipped: 3, warnings: [] })
    expect(left.reasons.map(({ reason }) => reason).toSorted()).toEqual(['invoice', 'meeting', 'replied'])
    expect(await add(id, 'add')).toMatchObject({ enrolled: 4, skipped: 0, warnings: [] })
    // No question about those who are in it already, or without a warning.
    expect(await add(id, 'ask')).toMatchObject({ enrolled: 0, skipped: 4, warnings: [] })
    expect(await add(first, 'ask', [dora])).toMatchObject({ enrolled: 0, skipped: 1, warnings: [] })
  })
})

describe('adding contacts is undone', () => {
  test('for exactly those of that call, whose mail is taken back; they may come in again', async () => {
    const [ann = 0, ben = 0, cem = 0] = await people('ann', 'ben', 'cem')
    const id = await days.running(STEPS)
    await pauseSending(new Date(days.clock.now().getTime() + 3_600_000))
    await enrol(id, [ann])
    // Ann is in it already: this call has put in the other two.
    const { enrolment, enrolled } = await enrol(id, [ann, ben, cem])
    expect(enrolled).toBe(2)
    await work()
    expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(3)

    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 2, mails_left: 0 })
    expect(await members(id)).toMatchObject([{ name: 'ann', state: 'active' }])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 0, mails_left: 0 })
    expect(await enrol(id, [ben])).toMatchObject({ enrolled: 1, skipped: 0 })
    await pauseSending(null)
    // Ben's day in the ledger was given back, so his mail leaves on this day.
    expect(await at(0, '11:00')).toEqual(['ann', 'ben'])
    expect(await at(1, '12:00')).toEqual(['ann', 'ben'])
  })

  test('what has left has left, and is told; nothing more follows', async () => {
    const id = await days.running(STEPS)
    const { enrolment } = await enrol(id, await people('ann', 'ben'))
    expect(await at(0, '11:00')).toEqual(['ann', 'ben'])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 2, mails_left: 2 })
    expect(await members(id)).toMatchObject([
      { name: 'ann', state: 'stopped', why: 'Taken out by you' },
      { name: 'ben', state: 'stopped', why: 'Taken out by you' },
    ])
    expect(await at(2, '11:00')).toEqual([])
  })

  test('who is through already stays so', async () => {
    const id = await days.running([mail(1, 'First')])
    const { enrolment } = await enrol(id, await people('ann'))
    expect(await at(0, '11:00')).toEqual(['ann'])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 0, mails_left: 1 })
    expect(await members(id)).toMatchObject([{ name: 'ann', state: 'done' }])
  })

  test('in a draft, also once it was started; not when it has ended', async () => {
    const id = await days.draft(STEPS)
    const [ann = 0, ben = 0] = await people('ann', 'ben')
    const first = await enrol(id, [ann])
    const second = await enrol(id, [ben])
    expect((await undo(id, first.enrolment)).body).toEqual({ taken_out: 1, mails_left: 0 })
    await goTo(0, '10:01')
    await tell(id, sequences.start)
    await pauseSending(new Date(days.clock.now().getTime() + 3_600_000))
    expect((await undo(id, second.enrolment)).body).toEqual({ taken_out: 1, mails_left: 0 })
    expect(await members(id)).toEqual([])
    const third = await enrol(id, [ann])
    await tell(id, sequences.end)
    expect((await undo(id, third.enrolment)).status).toBe(409)
  })

  test('nobody added is nothing to undo', async () => {
    const id = await days.draft(STEPS)
    const [ann = 0] = await people('ann')
    await enrol(id, [ann])
    expect(await enrol(id, [ann])).toMatchObject({ enrolled: 0, enrolment: null })
    expect((await undo(id, null)).status).toBe(400)
  })
})

describe('hours over midnight', () => {
  test('hold a sequence from their end to their beginning, and the day is the one on which they begin', async () => {
    const id = await days.running([mail(1, 'First')], {
      hours: { days: [1, 2], from_hour: 22, until_hour: 6 },
    })
    const [ann = 0, ben = 0, cem = 0, dan = 0] = await people('ann', 'ben', 'cem', 'dan')
    await enrol(id, [ann])
    expect(await at(0, '21:59')).toEqual([])
    expect(await at(0, '22:00')).toEqual(['ann'])
    await enrol(id, [ben])
    expect(await at(1, '05:59')).toEqual(['ben'])
    await goTo(1, '06:00')
    await enrol(id, [cem])
    expect(await at(1, '12:00')).toEqual([])
    expect(await at(1, '22:00')).toEqual(['cem'])
    // Tuesday's hours last until Wednesday; those of Wednesday do not begin.
    await goTo(2, '06:00')
    await enrol(id, [dan])
    expect(await at(2, '23:00')).toEqual([])
    expect(await at(7, '22:00')).toEqual(['dan'])
  })

  test('of which beginning and end are the same are refused with a sentence', async () => {
    const body = { name: 'Nights', hours: { days: [1], from_hour: 6, until_hour: 6 } }
    const answer = await call(days.app.url, sequences.add, { ...(await as()), body })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('For the whole day, choose 00:00 to 24:00')
  })
})
