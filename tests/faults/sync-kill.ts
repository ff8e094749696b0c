import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../support/client.ts'
import { type Dovecot, startDovecot } from '../support/dovecot.ts'
import { signUp, type TestUser } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { testMail } from '../support/mail-servers.ts'

const PAGE = 1000
const LOOK_EVERY_MS = 15
const PATIENCE_MS = 90_000

/** Kills a first sync of so many mails when these parts of them are stored: every mail is there in the end, once, and found. */
export async function killSyncs(count: number, parts: readonly number[]): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const settings = { DATA_DIR: dataDir, SECRET_KEY: 'a secret key that only the tests know of' }
  const dovecot = await startDovecot({ users: { ada: 'pass' } })
  let howl = await startHowlProcess(settings)
  try {
    await dovecot.deliverMany('ada', 'INBOX', mails(count))
    const user = await signUp(howl.url)
    await connect(howl, user, dovecot)
    for (const part of parts) {
      const stored = await untilStored(howl, user, count * part)
      await howl.kill()
      howl = await startHowlProcess(settings)
      expect(await countOf(howl, user)).toBeGreaterThanOrEqual(stored)
    }
    await untilStored(howl, user, count)
    await expect.poll(() => subjectsWithWords(howl, user, count), { timeout: PATIENCE_MS }).toBe(count)
    expect(await countOf(howl, user)).toBe(count)
    await expect
      .poll(async () => (await find(howl, user, 'words')).waiting, { timeout: PATIENCE_MS })
      .toBeNull()
    for (const n of [count / 2 - 1, count / 2, count - 1])
      expect((await find(howl, user, String(n))).subjects).toEqual([`Mail ${n}`])
  } finally {
    await howl.stop()
    await dovecot.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function* mails(count: number): Generator<string> {
  for (let n = 0; n < count; n++)
    yield testMail(
      { 'Message-ID': `<${n}@far.example>`, Subject: `Mail ${n}` },
      `These are the words of ${n}.\r\n`,
    )
}

async function connect(howl: HowlProcess, { token }: TestUser, dovecot: Dovecot): Promise<void> {
  const { host, port } = dovecot
  const { status } = await call(howl.url, mailboxSetup.save, {
    token,
    body: mailAccountAt({ host, port: 2525 }, { password: 'pass', imap: { host, port } }),
  })
  expect(status).toBe(200)
}

async function countOf(howl: HowlProcess, { token }: TestUser): Promise<number> {
  return (await call(howl.url, emails.counts, { token })).body.inbox
}

async function untilStored(howl: HowlProcess, user: TestUser, wanted: number): Promise<number> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const stored = await countOf(howl, user)
    if (stored >= wanted) return stored
    if (Date.now() > until) throw new Error(`Only ${stored} of ${wanted} mails were stored`)
    await pause(LOOK_EVERY_MS)
  }
}

/** What a search finds, and how many mails are not indexed yet. */
async function find(howl: HowlProcess, { token }: TestUser, search: string) {
  const { body, headers } = await call(howl.url, emails.list, { token, query: { search } })
  return { subjects: body.map(({ subject }) => subject), waiting: headers.get('X-Not-Searchable-Yet') }
}

/** How many different mails are listed with their text. */
async function subjectsWithWords(howl: HowlProcess, { token }: TestUser, count: number): Promise<number> {
  const subjects = new Set<string>()
  for (let page = 1; page <= Math.ceil(count / PAGE); page++) {
    const { body } = await call(howl.url, emails.list, {
      token,
      query: { folder: 'inbox', page, page_size: PAGE },
    })
    for (const mail of body) if (mail.content !== '') subjects.add(mail.subject)
  }
  return subjects.size
}
