import { describe, expect, test } from 'vitest'
import { MAIL_WAITS } from '#contract/operations/leaving.ts'
import { automaticMail, UPCOMING_MAX } from '#contract/outreach/automatic-mail.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { noteRead } from '#server/mail/mailboxes/store.ts'
import { call } from '../../../tests/support/client.ts'
import { ALWAYS, BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { header, receive } from '../../../tests/support/writing.ts'
import { runDue } from './run-due.ts'

/** Sequences of a user all of whose mail is paused for a while: a ban, or a deleted account. */
const days = sequenceDays({ workers: 1 })
const { sql, goTo, work, at, add, running, enrol, holdAccount } = days
const ban = () => sql('UPDATE users SET is_active = false WHERE id = $1', [days.ada.id])
const unban = () => sql('UPDATE users SET is_active = true WHERE id = $1', [days.ada.id])
const dueMembers = () =>
  sql('SELECT due_at FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2', [
    days.ada.id,
    days.clock.now(),
  ])
const WORKING_HOURS = { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 }

const pauseMail = () =>
  sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [days.ada.id, days.clock.now()])

const stopAccount = () =>
  sql(
    `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
    SELECT user_id, id, $2, 200, 12, 3 FROM mailboxes WHERE user_id = $1`,
    [days.ada.id, days.clock.now()],
  )

/** What pages tell of what is next: for each contact, in lists of members, and of each sequence. */
async function toldNext(contactId: number, ids: readonly number[]) {
  const { url } = days.app
  const of = { ...(await days.as()), params: { id: contactId } }
  return {
    card: (await call(url, automaticMail.ofContact, of)).body.next,
    sequences: (await call(url, sequences.ofContact, of)).body.map(({ member: { next_at: at, why } }) => ({
      at,
      why,
    })),
    members: (await Promise.all(ids.map((id) => days.members(id))))
      .flat()
      .map(({ next_at: at, why }) => ({ at, why })),
    listed: (await call(url, sequences.list, await days.as())).body
      .filter(({ id }) => ids.includes(id))
      .map(({ next_at: at }) => at),
  }
}

describe('while nobody knows when it goes on, a sequence', () => {
  test('tells no time for its steps while all mail is paused, and says the same at each look', async () => {
    const ids = [
      await running([mail(1, 'First'), wait(2, 2), mail(3, 'Second')], { name: 'Bread' }),
      await running([wait(1, 1), tag(2, 'Warm'), mail(3, 'Cake')], { name: 'Cake' }),
    ]
    const bob = await add()
    for (const id of ids) await enrol(id, [bob])
    expect(await at(0)).toEqual([BOB])
    const before = await toldNext(bob, ids)
    expect([before.card, ...before.sequences, ...before.members].map((each) => each?.at)).not.toContain(null)
    await pauseMail()
    const waiting = { at: null, why: MAIL_WAITS }
    const told = {
      card: {
        sentence: `The next step of the sequence “Cake”: add the tag “Warm”. ${MAIL_WAITS}.`,
        at: null,
      },
      sequences: [waiting, waiting],
      members: [waiting, waiting],
      listed: [null, null],
    }
    expect(await toldNext(bob, ids)).toEqual(told)
    // Both are due meanwhile, and looked at and put off at different times.
    for (const [day, time] of [
      [1, '10:05'],
      [2, '10:01'],
      [2, '10:12'],
    ] as const) {
      expect(await at(day, time)).toEqual([])
      expect(await toldNext(bob, ids)).toEqual(told)
    }
    await sql('UPDATE users SET mail_paused_at = NULL WHERE id = $1', [days.ada.id])
    expect((await toldNext(bob, ids)).card?.at).not.toBeNull()
  })

  test('tells no time for an email while its account is stopped, and the time of any other step', async () => {
    const ids = [
      await running([mail(1, 'First')]),
      await running([wait(1, 1), tag(2, 'Warm'), mail(3, 'Cake')]),
    ]
    await stopAccount()
    const bob = await add()
    for (const id of ids) await enrol(id, [bob])
    expect(await at(0, '10:03')).toEqual([])
    const { card, members } = await toldNext(bob, ids)
    expect(members).toEqual([
      { at: null, why: expect.stringMatching(/^Waits until you let the automatic emails from .+@.+ go on$/) },
      { at: expect.any(String), why: null },
    ])
    expect(card?.at).toBe(members[1]?.at)
  })

  test('hides no step that goes on behind the emails of an account that is stopped, and stays in the list while it is paused', async () => {
    const bread = await running([mail(1, 'First')], { name: 'Bread' })
    const warm = await running([wait(1, 1), tag(2, 'Warm'), mail(3, 'Cake')], { name: 'Warm' })
    const bob = await add()
    await enrol(bread, [...(await days.addMany(UPCOMING_MAX)), bob])
    await enrol(warm, [bob])
    await stopAccount()
    expect(await at(0, '10:03')).toEqual([])
    const upcoming = async () => (await call(days.app.url, automaticMail.upcoming, await days.as())).body
    const listed = await upcoming()
    expect(listed).toHaveLength(UPCOMING_MAX)
    expect(listed.slice(0, 2)).toMatchObject([
      { of: warm, contact_id: bob, at: expect.any(String), waits: null },
      { of: bread, at: null, waits: expect.stringMatching(/^Waits until you let the automatic emails/) },
    ])
    for (const id of [bread, warm]) expect((await days.tell(id, sequences.pause)).status).toBe(200)
    const waits = 'Waits until you resume the sequence'
    expect(await upcoming()).toMatchObject([
      { of: bread, name: 'Bread', contact_id: null, at: null, waits },
      { of: warm, name: 'Warm', contact_id: null, at: null, waits },
    ])
    const { card } = await toldNext(bob, [])
    expect(card).toEqual({ sentence: expect.stringContaining(`${waits}.`), at: null })
  })
})

describe('while all mail is paused, a sequence', () => {
  test('asks no condition: replies are not read', async () => {
    const id = await running(
      [
        mail(1, 'First'),
        wait(2, 1),
        { id: 3, kind: 'condition', if: { about: 'replied' }, met: 6, otherwise: 'next' },
        tag(4, 'Silent'),
        mail(5, 'Second'),
        tag(6, 'Met'),
      ],
      { hours: ALWAYS, stops: { reply: false, meeting: true, payment: true } },
    )
    const bob = await add()
    await enrol(id, [bob])
    expect(await at(0)).toEqual([BOB])
    await ban()
    for (const day of [1, 2, 14]) expect(await at(day)).toEqual([])
    expect(await sql('SELECT state, step FROM sequence_members WHERE user_id = $1', [days.ada.id])).toEqual([
      { state: 'active', step: 3 },
    ])
    await unban()
    const date = days.clock.now().toUTCString()
    await receive(
      days.app,
      days.ada,
      `From: Bob <${BOB}>\nTo: ada@muster.example\nSubject: Re: First\nMessage-ID: <${days.year}@customer.example>\nDate: ${date}\n\nYes, tell me more.\n`,
    )
    expect(await at(14, '10:30')).toEqual([])
    expect(
      await sql(
        'SELECT t.name FROM contact_tags k JOIN tags t ON t.user_id = k.user_id AND t.id = k.tag_id WHERE k.contact_id = $1',
        [bob],
      ),
    ).toEqual([{ name: 'Met' }])
  })

  test('lets nothing that was queued leave in the night in which a ban ends, but in its hours', async () => {
    const id = await running([mail(1, 'First')], { hours: WORKING_HOURS })
    await holdAccount(2)
    await enrol(id, [await add()])
    await work()
    await ban()
    await goTo(13, '03:00')
    await unban()
    expect(await at(13, '03:00')).toEqual([])
    expect(await at(14, '08:50')).toEqual([])
    expect(await at(14, '09:00')).toEqual([BOB])
    expect(header(days.sink.received[0], 'Subject')).toBe('First')
  })

  test('goes on after it only once its account was read', async () => {
    const account = { user_id: days.ada.id, id: 0 }
    const [row] = await sql('SELECT id FROM mailboxes WHERE user_id = $1', [days.ada.id])
    account.id = Number(row?.['id'])
    const later = new Date(days.clock.now().getTime() + 90 * 86_400_000)
    const readFrom = async (reader: string | null) =>
      sql('UPDATE mailboxes SET next_read_at = $2, reader_id = $3 WHERE user_id = $1', [
        days.ada.id,
        later,
        reader,
      ])
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([BOB])
    await readFrom(null)
    await ban()
    expect(await at(7)).toEqual([])
    await unban()
    await goTo(7, '11:00')
    await runDue(days.app.context)
    expect(await sql('SELECT step FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toHaveLength(1)
    await readFrom('a reader')
    await noteRead(days.app.context.db, account, 'a reader', days.clock.now(), later)
    expect(await at(7, '11:01')).toEqual([BOB])
  })

  test('of a deleted account is put off, and not looked at each second', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [await add()])
    expect(await at(0)).toEqual([BOB])
    await sql('UPDATE users SET deleted_at = $2, mail_paused_at = $2 WHERE id = $1', [
      days.ada.id,
      days.clock.now(),
    ])
    await goTo(1, '10:05')
    expect(await runDue(days.app.context)).toBe(false)
    expect(await dueMembers()).toEqual([])
    // Restored, and resumed by its owner.
    await sql('UPDATE users SET deleted_at = NULL, mail_paused_at = NULL WHERE id = $1', [days.ada.id])
    expect(await at(1, '11:10')).toEqual([BOB])
  })
})
