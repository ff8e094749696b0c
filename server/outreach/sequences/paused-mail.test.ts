import { describe, expect, test } from 'vitest'
import { noteRead } from '#server/mail/mailboxes/store.ts'
import { ALWAYS, BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { header, receive } from '../../../tests/support/writing.ts'
import { runDue } from './run-due.ts'
import { takeBackLate } from './take-back-late.ts'

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

  test('takes back what is queued: when a ban ends in the night, it leaves in its hours', async () => {
    const id = await running([mail(1, 'First')], { hours: WORKING_HOURS })
    await holdAccount(2)
    await enrol(id, [await add()])
    await work()
    await ban()
    await goTo(13, '03:00')
    await takeBackLate(days.app.context)
    expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).toEqual([])
    await work()
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
