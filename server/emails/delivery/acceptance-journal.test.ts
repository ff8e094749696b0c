import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, runSql } from '#server/database/transaction.ts'
import { openJournals } from '#server/gateways/journal-file.ts'
import { beat } from '#server/jobs/store.ts'
import { mailboxesOf } from '#server/mailboxes/mailboxes.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { type JournalEntry, settleJournals } from './acceptance-journal.ts'
import { enqueueEmails } from './enqueue-emails.ts'

let app: TestApp

beforeAll(async () => {
  // No worker: what this test leaves is looked at by nobody else.
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const gone = (worker: string) => openJournals(path.join(app.dataDir, 'receipts'), worker)
const AT = new Date('2026-11-20T10:00:00Z')

/** A mail that `worker` had marked in its second attempt when it was heard of for the last time. */
async function marked(
  worker: string,
  state: 'committed' | 'unsure' | 'queued' = 'committed',
): Promise<JournalEntry> {
  const { id: userId } = await connectWriter(app, { port: 2525 })
  const [mailbox] = await mailboxesOf(app.context.db, userId)
  const of = { userId, mailboxId: mailbox?.id ?? 0, groupId: 1, priority: 1 as const }
  const from = { name: 'Ada', address: 'ada@muster.example' }
  const draft = {
    to: 'bob@customer.example',
    subject: 'Hello',
    text: 'How are you?',
    purpose: 'compose' as const,
  }
  const [emailId = 0] = await inTransaction(app.context.db, async (tx) => {
    const ids = await enqueueEmails(app.context, tx, { ...of, from }, [draft])
    const shelf = state === 'unsure' ? 'unsure' : 'due'
    const by = state === 'committed' ? worker : null
    await runSql(
      tx,
      'UPDATE deliveries SET state = $2, shelf = $3, worker_id = $4, attempt = 2 WHERE user_id = $1',
      [userId, state, shelf, by],
    )
    return ids
  })
  return { userId, emailId, attempt: 2, reason: null, at: AT, inSentFolder: false }
}

async function delivery({ userId, emailId }: JournalEntry) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT state, shelf, settled_at, in_sent_folder FROM deliveries WHERE user_id = $1 AND email_id = $2',
    [userId, emailId],
  )
  return (rows as Record<string, unknown>[])[0]
}

const LEFT = { state: 'sent', shelf: null, settled_at: AT, in_sent_folder: false }

test.each(['committed', 'unsure', 'queued'] as const)(
  'a mail that is %s and was noted as taken has left, once and for all',
  async (state) => {
    const mail = await marked('10-dead', state)
    gone('10-dead').note(0, JSON.stringify(mail))
    await settleJournals(app.context)
    expect(await delivery(mail)).toEqual(LEFT)
    expect(await gone('10-dead').of('10-dead')).toEqual([])
    await settleJournals(app.context)
    expect(await delivery(mail)).toEqual(LEFT)
  },
)

test('what has been tried once more since, or is half a note, says nothing', async () => {
  const [again, half] = [await marked('11-dead'), await marked('11-dead')]
  const receipts = gone('11-dead')
  receipts.note(0, JSON.stringify({ ...again, attempt: 1 }))
  receipts.note(1, JSON.stringify(half).slice(0, -5))
  await settleJournals(app.context)
  expect(await delivery(again)).toMatchObject({ state: 'committed' })
  expect(await delivery(half)).toMatchObject({ state: 'committed' })
})

test('words that were cut in the middle, or a file that cannot be read, keep no other mail waiting', async () => {
  const [odd, other] = [await marked('13-dead'), await marked('14-dead')]
  await mkdir(path.join(app.dataDir, 'receipts', '10-folder'), { recursive: true })
  gone('13-dead').note(0, JSON.stringify({ ...odd, reason: 'bob@customer.example: no \ud83d' }))
  gone('14-dead').note(0, JSON.stringify(other))
  await settleJournals(app.context)
  expect([await delivery(odd), await delivery(other)]).toEqual([LEFT, LEFT])
})

test('what a living process has noted is its own business', async () => {
  const mail = await marked('12-alive')
  await beat(app.context.db, '12-alive', app.clock.now())
  gone('12-alive').note(0, JSON.stringify(mail))
  await settleJournals(app.context)
  expect(await delivery(mail)).toMatchObject({ state: 'committed' })
  expect(await gone('12-alive').of('12-alive')).toHaveLength(1)
})
