import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { acceptGaps } from './accept-gaps.ts'
import { checkChain } from './check-chain.ts'
import { linkActivities, newLinker } from './link-activities.ts'
import { noteActivity } from './note-activity.ts'
import { sealsOf } from './seals.ts'

let app: TestApp
beforeEach(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterEach(() => app?.end())

const sql = (text: string) => runSql(app.context.db, text)

/** Adds activities and links them, as a worker does. */
async function add(count: number): Promise<void> {
  for (let number = 0; number < count; number++)
    await noteActivity(app.context, app.context.db, { type: 'log_in', user: null, origin: null })
  await linkActivities(app.context, await newLinker(app.context))
}

/** Takes the last rows away together with the chain's end, as an older backup does. */
async function goBack(position: number): Promise<void> {
  await sql('ALTER TABLE activities DISABLE TRIGGER USER')
  await sql(`DELETE FROM activities WHERE position > ${position}`)
  await sql('ALTER TABLE activities ENABLE TRIGGER USER')
  const { rows } = await sql(`SELECT link FROM activities WHERE position = ${position}`)
  const { link } = rows[0] as { link: Buffer }
  const seal = sealsOf(app.context).end('head', position, link)
  await runSql(app.context.db, 'UPDATE activity_chain SET position = $1, link = $2, seal = $3', [
    position,
    link,
    seal,
  ])
}

it('the end that an older backup has cut off is named, accepted, and the log says so', async () => {
  await add(12)
  const { position } = await checkChain(app.context)
  await goBack(position - 5)
  expect(await checkChain(app.context)).toMatchObject({ ok: false, faults: [{ kind: 'removed' }] })
  expect(await acceptGaps(app.context)).toEqual([{ first: position - 4, last: position + 1, isEnd: false }])
  expect(await checkChain(app.context)).toMatchObject({ ok: true, faults: [] })
  const { rows } = await sql(
    `SELECT description FROM activities WHERE activity_type = 'gap_accepted' ORDER BY id DESC LIMIT 1`,
  )
  expect(rows).toEqual([
    { description: `Gap of the activity log accepted: ${position - 4} to ${position + 1}` },
  ])
  // The log goes on.
  await add(3)
  expect(await checkChain(app.context)).toMatchObject({ ok: true })
})

it('whatever is changed after it was accepted is named as before, and a gap that somebody else adds accepts nothing', async () => {
  await add(12)
  const { position } = await checkChain(app.context)
  await goBack(position - 5)
  await acceptGaps(app.context)
  await add(6)
  await sql('ALTER TABLE activities DISABLE TRIGGER USER')
  await sql(`DELETE FROM activities WHERE position = 3`)
  await sql('ALTER TABLE activities ENABLE TRIGGER USER')
  await sql(`INSERT INTO accepted_gaps VALUES (3, 3, date_trunc('milliseconds', now()), '\\x00')`)
  expect(await checkChain(app.context)).toMatchObject({
    ok: false,
    faults: [{ kind: 'removed', position: 3 }],
  })
})

it('where nothing is missing there is nothing to accept', async () => {
  await add(2)
  await expect(acceptGaps(app.context)).rejects.toThrow('Nothing is missing in the activity log.')
})
