import { describe, expect, test } from 'vitest'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { sequences, type SequenceStep } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { tags } from '#contract/crm/tags.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { uploadImport } from '../../../tests/support/csv.ts'
import { BOB, mail, sequenceDays, tag, wait } from '../../../tests/support/sequence-days.ts'
import { runDue } from './run-due.ts'
import { takeWork } from './take-work.ts'
import { until } from '../../../tests/support/until.ts'

const days = sequenceDays({ workers: 2 })
const { sql, goTo, work, at, as, add, addMany, running, enrol, members, get, answers, holdAccount } = days

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

  test('by a tag that the list of sequences names, with what its steps do with tags and templates', async () => {
    const body = { name: 'Spring', subject: 'Bread', body: 'Hello' }
    const { id: template } = (await call(days.app.url, templates.add, { ...(await as()), body })).body
    const asks: SequenceStep = {
      id: 1,
      kind: 'condition',
      if: { about: 'tag', tag: 'Baker' },
      met: 'next',
      otherwise: 'end',
    }
    const starts = [{ on: 'tag' as const, tag: 'VIP' }, { on: 'contact' as const }]
    await running(
      [asks, tag(2, 'Warm'), tag(3, 'Cold', 'remove'), mail(4, '', { template_id: template, body: '' })],
      { starts },
    )
    expect((await call(days.app.url, sequences.list, await as())).body[0]).toMatchObject({
      state: 'running',
      tags: { starts: ['VIP'], asks: ['Baker'], adds: ['Warm'] },
      template_ids: [template],
    })
  })

  test('no more by a tag that was deleted, nor is its step a hindrance: it is added again', async () => {
    const [one = 0, two = 0] = await addMany(2)
    const id = await running([tag(1, 'Warm'), mail(2, 'First')], { starts: [{ on: 'tag', tag: 'VIP' }] })
    const named = async () => (await call(days.app.url, tags.list, await as())).body
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'VIP' } })
    expect(await at(0)).toHaveLength(1)
    for (const each of await named())
      await call(days.app.url, tags.remove, { ...(await as()), params: { id: each.id } })
    expect(await named()).toEqual([])
    await enrol(id, [two])
    expect(await at(0)).toHaveLength(1)
    expect((await named()).map(({ name }) => name)).toEqual(['Warm'])
    expect(await members(id)).toHaveLength(2)
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

  test('and out again when the tagging is undone, with mail that has not left; whom another way has put in stays', async () => {
    const [one = 0, two = 0, three = 0, four = 0] = await addMany(4)
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')], {
      starts: [{ on: 'tag', tag: 'Fair' }],
    })
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [four], tag: 'fair' } })
    await enrol(id, [three])
    expect(await at(0, '10:00')).toEqual(['person3@customer.example', 'person4@customer.example'])
    await holdAccount(2)
    const body = { ids: [one, two, three, four], tag: 'Fair' }
    const tagged = await call(days.app.url, contacts.tagMany, { ...(await as()), body })
    await goTo(0, '10:30')
    const written = async () =>
      (await sql('SELECT FROM sequence_mails WHERE user_id = $1', [days.ada.id])).length
    await until(async () => {
      await takeWork(days.app.context)
      await runDue(days.app.context)
      expect(await written()).toBe(4)
    })
    const undo = { params: { id: tagged.body.undo_id ?? 0 } }
    expect((await call(days.app.url, contacts.undoMany, { ...(await as()), ...undo })).body.restored).toBe(3)
    expect(await at(0, '12:30')).toEqual([])
    expect((await members(id)).map(({ name }) => name)).toEqual(['Person 3', 'Person 4'])
    expect(await at(1, '10:30')).toEqual(['person3@customer.example', 'person4@customer.example'])
    // They were never in it: the right tag puts them in later.
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'Fair' } })
    expect(await at(1, '10:40')).toEqual(['person1@customer.example'])
  })

  test('not when the tag is gone again before the engine has looked', async () => {
    const [one = 0] = await addMany(1)
    const id = await running(steps, { starts: [{ on: 'tag', tag: 'Fair' }] })
    const [made] = await sql(
      `INSERT INTO tags (user_id, name, name_key, colour, created_at) VALUES ($1, 'Fair', 'fair', 'gray', $2) RETURNING id`,
      [days.ada.id, days.clock.now()],
    )
    await inTransaction(days.app.context.db, async (tx) => {
      const values = [days.ada.id, one, made?.['id']]
      await runSql(tx, 'INSERT INTO contact_tags (user_id, contact_id, tag_id) VALUES ($1, $2, $3)', values)
      await runSql(tx, 'DELETE FROM contact_tags WHERE user_id = $1 AND contact_id = $2', values.slice(0, 2))
    })
    expect(await at(0)).toEqual([])
    expect(await members(id)).toEqual([])
  })

  test('by a tag that was renamed since, which conditions and steps follow as well', async () => {
    const [one = 0, two = 0] = await addMany(2)
    const body = { ids: [two], tag: 'Ärzte' }
    await call(days.app.url, contacts.tagMany, { ...(await as()), body })
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids: [one], tag: 'Lead' } })
    await call(days.app.url, contacts.untagMany, { ...(await as()), body: { ids: [one], tag: 'Lead' } })
    const id = await running(
      [
        { id: 1, kind: 'condition', if: { about: 'tag', tag: 'ärzte' }, met: 'end', otherwise: 'next' },
        tag(2, 'Lead', 'remove'),
        mail(3, 'First'),
      ],
      { starts: [{ on: 'tag', tag: 'lead' }] },
    )
    const { body: named } = await call(days.app.url, tags.list, { ...(await as()), query: {} })
    const rename = async (before: string, name: string) =>
      call(days.app.url, tags.update, {
        ...(await as()),
        params: { id: named.find((each) => each.name === before)?.id ?? 0 },
        body: { name },
      })
    expect((await rename('Ärzte', 'Praxen')).status).toBe(200)
    expect((await rename('Lead', 'Interested')).status).toBe(200)
    const { steps: now, starts } = await get(id)
    expect(starts).toEqual([{ on: 'tag', tag: 'Interested' }])
    expect(now.slice(0, 2)).toMatchObject([{ if: { about: 'tag', tag: 'Praxen' } }, { tag: 'Interested' }])
    await call(days.app.url, contacts.tagMany, {
      ...(await as()),
      body: { ids: [one, two], tag: 'Interested' },
    })
    expect(await at(0)).toEqual(['person1@customer.example'])
    // Nobody gets the old tag back by a step.
    const after = await call(days.app.url, tags.list, { ...(await as()), query: { counts: 'true' } })
    expect(after.body.map(({ name }) => name)).toEqual(['Interested', 'Praxen'])
  })

  test('with 5,000 others that are tagged at once, in seconds', async () => {
    const ids = await addMany(5000)
    const id = await running([wait(1, 9), mail(2, 'First')], { starts: [{ on: 'tag', tag: 'Fair' }] })
    const begun = performance.now()
    await call(days.app.url, contacts.tagMany, { ...(await as()), body: { ids, tag: 'Fair' } })
    await work()
    expect(performance.now() - begun).toBeLessThan(60_000)
    expect((await get(id)).members.active).toBe(5000)
  })
})
