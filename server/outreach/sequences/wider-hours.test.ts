import { describe, expect, test } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { call } from '../../../tests/support/client.ts'
import { ALWAYS, BOB, mail, sequenceDays, wait } from '../../../tests/support/sequence-days.ts'

/** Members that were put off, when the hours or the ceiling change that they wait for. */
const days = sequenceDays({ workers: 1 })
const { sql, work, at, as, add, addMany, running, enrol } = days
const MONDAYS = { ...ALWAYS, days: [1] }
const setHours = async (id: number, hours: typeof ALWAYS) =>
  call(days.app.url, sequences.update, { ...(await as()), params: { id }, body: { hours } })

describe('members that were put off', () => {
  test('go on at once when the sequence writes on more days; whoever is in a wait stays in it', async () => {
    const id = await running([mail(1, 'First'), wait(2, 3), mail(3, 'Second')], { hours: MONDAYS })
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([BOB])
    // Three days later is a Thursday: the second mail waits for Monday.
    const eve = await add('eve@customer.example', 'Eve')
    await days.goTo(1, '10:00')
    await enrol(id, [eve])
    expect(await at(1, '10:01')).toEqual([])
    expect((await setHours(id, ALWAYS)).status).toBe(200)
    expect(await at(1, '10:02')).toEqual(['eve@customer.example'])
    expect(await at(2, '20:00')).toEqual([])
    expect(await at(3, '10:01')).toEqual([BOB])
  })

  test('wait for the next of the new hours, not for the old ones', async () => {
    const id = await running([mail(1, 'First')], { hours: MONDAYS })
    await days.goTo(1, '20:00')
    await enrol(id, [await add()])
    expect(await at(1, '20:01')).toEqual([])
    await setHours(id, { days: [1, 3], from_hour: 9, until_hour: 17 })
    expect(await at(2, '08:55')).toEqual([])
    expect(await at(2, '09:00')).toEqual([BOB])
  })

  test('go on when the hours of all automatic mail are lifted', async () => {
    const hours = { limited: true, days: [1], from_hour: 8, until_hour: 18 }
    const saveHours = async (limited: boolean) =>
      call(days.app.url, automaticMail.saveHours, { ...(await as()), body: { ...hours, limited } })
    expect((await saveHours(true)).status).toBe(200)
    const id = await running([mail(1, 'First')])
    await days.goTo(1, '10:00')
    await enrol(id, [await add()])
    expect(await at(1, '10:01')).toEqual([])
    expect((await saveHours(false)).status).toBe(200)
    expect(await at(1, '10:02')).toEqual([BOB])
  })

  test('are not held back because their account was connected a moment ago', async () => {
    const id = await running([mail(1, 'First')])
    await enrol(id, await addMany(60))
    expect(await at(0)).toHaveLength(60)
  })

  test('go on at their pace when their account is no longer new', async () => {
    await sql('UPDATE mailboxes SET warm_up_from = $2 WHERE user_id = $1', [days.ada.id, days.clock.now()])
    const id = await running([mail(1, 'First')])
    await enrol(id, await addMany(300))
    expect(await at(0)).toHaveLength(20)
    const [account] = (await call(days.app.url, automaticMail.accounts, await as())).body
    const params = { id: account?.id ?? 0 }
    const answer = await call(days.app.url, automaticMail.saveAccount, {
      ...(await as()),
      params,
      body: { warm_up: false },
    })
    expect(answer.status).toBe(200)
    await work()
    expect(await at(0, '10:01')).toHaveLength(180)
    expect(await at(0, '10:10')).toHaveLength(100)
  })
})
