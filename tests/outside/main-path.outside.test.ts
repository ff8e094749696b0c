import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { systemClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import { call } from '../support/client.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUp } from '../support/factories.ts'
import { startHowlProcess } from '../support/howl-process.ts'
import { anInvoice } from '../support/invoices.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { backUp, digestsOf, emptyHouse, restoreInto, SECRET_KEY } from '../support/restored-house.ts'

/** Each answers after 3 to 40 seconds: of so many, one does soon. */
const PEOPLE = 30
/** What one process of Howl uses, and some room: each connection of a session is one to PostgreSQL. */
const CONNECTIONS = '60'

const direct = async (url: string) => ({ url, stop: async () => {} })
const pooled = (url: string) => startPgBouncer(url, { pool_mode: 'session', default_pool_size: CONNECTIONS })

test.each([
  ['a fresh PostgreSQL 15', direct],
  ['PgBouncer, which keeps a connection for each session', pooled],
])(
  'on %s, npm start serves sign-up, a practice run with its answers, and an invoice, and all of it is restored from a backup',
  async (_, reach) => {
    const database = await emptyDatabase()
    const server = await reach(database.url)
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-outside-'))
    const settings = { DATABASE_URL: server.url, DATA_DIR: dataDir, SECRET_KEY }
    const howl = await startHowlProcess(settings)
    const restored = await emptyHouse()
    try {
      const { token } = await signUp(howl.url)
      await call(howl.url, mailboxSetup.practice, { token })
      for (let n = 0; n < PEOPLE; n++) {
        const body = { name: `Person ${n}`, email: `person${n}+interested@corp.example` }
        expect((await call(howl.url, contacts.add, { token, body })).status).toBe(200)
      }
      const run = await call(howl.url, outreach.generateAndSend, { token })
      expect(run.body.summary).toMatchObject({ total: PEOPLE, sent: PEOPLE, errors: 0 })
      await expect
        .poll(async () => (await call(howl.url, emails.counts, { token })).body.inbox)
        .toBeGreaterThan(0)

      const told = nextEvent(howl.url, token, 'invoices')
      const draft = await call(howl.url, invoices.add, { token, body: anInvoice() })
      await told
      const issued = await call(howl.url, invoices.issue, { token, params: { id: draft.body.id } })
      expect(issued.body.number).toMatch(/0001$/)

      await howl.stop()
      const clock = systemClock(0)
      const app = { context: { config: readConfig(settings) }, databaseUrl: database.url, clock }
      await restoreInto(restored, await backUp(app, path.join(dataDir, 'backups')), clock)
      const [before, after] = [await digestsOf(database.url), await digestsOf(restored.database.url)]
      for (const table of ['contacts', 'invoices']) expect(after.get(table)).toBe(before.get(table))
      // Mail is held after a restore, so that its rows differ.
      const mails = (digests: Map<string, string>) => Number(digests.get('emails')?.split(' ')[0])
      expect(mails(after)).toBe(mails(before))
      expect(mails(before)).toBeGreaterThan(PEOPLE)
    } finally {
      await howl.stop()
      await restored.remove()
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)

/** Resolves once the live stream names a topic: PostgreSQL has notified the process. */
async function nextEvent(base: string, token: string, topic: string): Promise<void> {
  const ended = new AbortController()
  const { body } = await fetch(`${base}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended.signal,
  })
  if (body === null) throw new Error('There is no live stream')
  for await (const text of body.pipeThrough(new TextDecoderStream()))
    if (text.includes(`"${topic}"`)) return ended.abort()
}
