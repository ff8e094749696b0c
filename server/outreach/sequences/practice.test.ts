import { describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { inTransaction } from '#server/platform/database/transaction.ts'
import { ingestRaw } from '#server/mail/emails/emails.ts'
import { call } from '../../../tests/support/client.ts'
import { BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { connectTo, receive } from '../../../tests/support/writing.ts'
import { resetAfterPractice } from './hold-sequence.ts'

const days = sequenceDays({ workers: 2 })
const { sql, work, at, as, add, draft, running, tell, enrol, members, figures, get } = days

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
