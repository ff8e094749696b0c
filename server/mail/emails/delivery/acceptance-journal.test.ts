import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSql } from '#server/platform/database/transaction.ts'
import { openJournalFile } from '#server/platform/gateways/journal-file.ts'
import { beat } from '#server/platform/jobs/store.ts'
import { storeDelivery } from '../../../../tests/support/stored-delivery.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { type JournalEntry, makeJournalSettler } from './acceptance-journal.ts'

let app: TestApp
let settleJournals: () => Promise<boolean>

beforeAll(async () => {
  // No worker: nobody else touches what this test leaves.
  app = await startTestApp({ roles: ['web'] })
  settleJournals = makeJournalSettler(app.context)
})
afterAll(() => app.end())

const journalOf = (worker: string) => openJournalFile(path.join(app.dataDir, 'acceptance-journal'), worker)
const AT = new Date('2026-11-20T10:00:00Z')

/** An email that `worker` was sending in its second attempt, and the entry for its acceptance. */
async function acceptedMail(
  worker: string,
  state: 'committed' | 'unsure' | 'queued' = 'committed',
): Promise<JournalEntry> {
  const by = state === 'committed' ? worker : null
  const claim = await storeDelivery(app, { state, attempt: 2, worker: by })
  return { ...claim, reason: null, at: AT, inSentFolder: false }
}

async function delivery({ userId, emailId }: JournalEntry) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT state, queue, settled_at, in_sent_folder FROM deliveries WHERE user_id = $1 AND email_id = $2',
    [userId, emailId],
  )
  return (rows as Record<string, unknown>[])[0]
}

const SENT = { state: 'sent', queue: null, settled_at: AT, in_sent_folder: false }

test.each(['committed', 'unsure', 'queued'] as const)(
  'an email that is %s and recorded as accepted counts as sent, once and for all',
  async (state) => {
    const mail = await acceptedMail('10-dead', state)
    journalOf('10-dead').write(0, JSON.stringify(mail))
    await settleJournals()
    expect(await delivery(mail)).toEqual(SENT)
    expect(await journalOf('10-dead').read('10-dead')).toEqual([])
    await settleJournals()
    expect(await delivery(mail)).toEqual(SENT)
  },
)

test('an entry of an earlier attempt, or half an entry, has no effect', async () => {
  const [again, half] = [await acceptedMail('11-dead'), await acceptedMail('11-dead')]
  const journal = journalOf('11-dead')
  journal.write(0, JSON.stringify({ ...again, attempt: 1 }))
  journal.write(1, JSON.stringify(half).slice(0, -5))
  await settleJournals()
  expect(await delivery(again)).toMatchObject({ state: 'committed' })
  expect(await delivery(half)).toMatchObject({ state: 'committed' })
})

test('a reply cut inside a character, or a journal that cannot be read, does not hold up other emails', async () => {
  const [odd, other] = [await acceptedMail('13-dead'), await acceptedMail('14-dead')]
  await mkdir(path.join(app.dataDir, 'acceptance-journal', '10-folder'), { recursive: true })
  journalOf('13-dead').write(0, JSON.stringify({ ...odd, reason: 'bob@customer.example: no \ud83d' }))
  journalOf('14-dead').write(0, JSON.stringify(other))
  await settleJournals()
  expect([await delivery(odd), await delivery(other)]).toEqual([SENT, SENT])
})

test('the journal of a running process is left alone', async () => {
  const mail = await acceptedMail('12-alive')
  await beat(app.context.db, '12-alive', app.clock.now())
  journalOf('12-alive').write(0, JSON.stringify(mail))
  await settleJournals()
  expect(await delivery(mail)).toMatchObject({ state: 'committed' })
  expect(await journalOf('12-alive').read('12-alive')).toHaveLength(1)
})

test('a journal that an older version left in its folder is settled after an upgrade', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-upgrade-'))
  const mail = await acceptedMail('15-dead')
  openJournalFile(path.join(dataDir, 'receipts'), '15-dead').write(0, JSON.stringify(mail))
  const upgraded = await startTestApp({
    roles: ['web'],
    database: { url: app.databaseUrl },
    environment: { DATA_DIR: dataDir },
  })
  try {
    await makeJournalSettler(upgraded.context)()
    expect(await delivery(mail)).toEqual(SENT)
  } finally {
    await upgraded.end()
    await rm(dataDir, { recursive: true })
  }
})
