import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailActions } from '#contract/mail/email-actions.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../../../tests/support/client.ts'
import {
  type HostileImap,
  scriptedFolder,
  silence,
  startHostileImap,
} from '../../../../tests/support/hostile-imap.ts'
import { type MailServers, startMailServers, testMail } from '../../../../tests/support/mail-servers.ts'
import { connectReader, listFolder, type Reader } from '../../../../tests/support/reading.ts'
import { signUp } from '../../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'

let app: TestApp
let servers: MailServers
let hanging: HostileImap
let miscounting: HostileImap
let withoutIdle: HostileImap

beforeAll(async () => {
  servers = await startMailServers({ users: { ada: 'pass', bob: 'pass', carl: 'pass', dora: 'pass' } })
  hanging = await startHostileImap({ script: silence })
  miscounting = await startHostileImap({
    folders: {
      INBOX: { ...scriptedFolder(['one']), says: { exists: 2, uidNext: null } },
      Offers: scriptedFolder(['two']),
    },
  })
  withoutIdle = await startHostileImap({
    capabilities: 'IMAP4rev1 IDLE',
    script: ({ name }, { no }) => name === 'IDLE' && (no('IDLE is not available'), true),
  })
  app = await startTestApp()
})

afterAll(async () => {
  await app?.end()
  await hanging?.stop()
  await miscounting?.stop()
  await withoutIdle?.stop()
  await servers?.stop()
})

const mail = (id: string) => testMail({ 'Message-ID': `<${id}@far.example>`, Subject: id })
const subjects = (reader: Reader) => async () => (await listFolder(app, reader)).map(({ subject }) => subject)
const settings = async ({ token }: Reader) => (await call(app.url, mailboxes.get, { token })).body
const inboxRead = (reader: Reader) =>
  expect
    .poll(async () => (await settings(reader)).folders)
    .toContainEqual(expect.objectContaining({ role: 'inbox', last_read_at: expect.anything() as string }))

describe('a mailbox that was just connected', () => {
  test('is synced by itself, and then shows new mail at once, without polling', async () => {
    await servers.dovecot.deliver('ada', 'INBOX', mail('before'))
    const ada = await connectReader(app, servers.dovecot.user('ada'))
    await expect.poll(subjects(ada)).toContain('before')
    await inboxRead(ada)
    // All folders are synced only once a minute, and no mail is waited for as long.
    for (const id of ['first', 'second', 'third']) {
      await servers.dovecot.deliver('ada', 'INBOX', mail(id))
      await expect.poll(subjects(ada)).toContain(id)
    }
  })

  test('is not held up by servers that hang', async () => {
    for (let at = 0; at < 4; at += 1) await connectReader(app, { ...hanging, username: 'x', password: 'y' })
    await expect.poll(() => hanging.commands.length).toBeGreaterThanOrEqual(4)
    await servers.dovecot.deliver('bob', 'INBOX', mail('on time'))
    const bob = await connectReader(app, servers.dovecot.user('bob'))
    await expect.poll(subjects(bob)).toContain('on time')
  })

  test('shows what the server said when it cannot be read, and is synced once that is fixed', async () => {
    const carl = await connectReader(app, { ...servers.dovecot.user('carl'), password: 'wrong' })
    const kept = async () =>
      (
        await runSql(app.context.db, 'SELECT read_error, read_error_kind FROM mailboxes WHERE id = $1', [
          carl.mailboxId,
        ])
      ).rows
    await expect.poll(kept).toMatchObject([
      {
        read_error: expect.stringMatching(/did not accept.*Authentication failed/) as string,
        read_error_kind: 'auth',
      },
    ])
    const checked = await call(app.url, emails.ingest, { token: carl.token })
    expect([checked.status, checked.error.detail]).toEqual([
      500,
      'Email configuration error. Please check your settings in Profile page',
    ])
    await servers.dovecot.deliver('carl', 'INBOX', mail('at last'))
    await call(app.url, mailboxSetup.save, { token: carl.token, body: { imap_password: 'pass' } })
    await expect.poll(subjects(carl)).toContain('at last')
  })
})

describe('a server that asked Howl to wait', () => {
  const refusing = async (answer: string, command = 'LOGIN') => {
    const far = await startHostileImap({
      folders: { INBOX: scriptedFolder(['one', 'two']) },
      script: ({ tag, name }, { line }) => {
        if (name !== command) return false
        line(`${tag} ${answer}`)
        return true
      },
    })
    const reader = await connectReader(app, { ...far, username: 'x', password: 'y' })
    await expect.poll(async () => (await settings(reader)).last_error).not.toBeNull()
    const logIns = () => far.commands.filter(({ name }) => name === 'LOGIN').length
    return { far, reader, logIns }
  }
  const ask = async ({ token }: Reader) => {
    const ingested = await call(app.url, emails.ingest, { token })
    const checked = await call(app.url, emails.check, { token })
    expect([ingested.status, checked.status]).toEqual([200, 200])
    return [ingested.body.message, checked.body.message]
  }

  test.each(['NO [LIMIT] Too many simultaneous connections', 'NO [UNAVAILABLE] Back soon'])(
    '%s is no error of the settings, and asking reads at once when it is over',
    async (words) => {
      const { far, reader } = await refusing(words)
      const says = expect.stringContaining(words.slice(words.indexOf(']') + 2)) as string
      expect(await ask(reader)).toEqual([says, says])
      far.setScript(() => false)
      // A pass that was under way may still have been refused: then the user asks again.
      const asked = async () => {
        await call(app.url, emails.ingest, { token: reader.token })
        return subjects(reader)()
      }
      await expect.poll(asked).toHaveLength(2)
      expect((await subjects(reader)()).toSorted()).toEqual(['one', 'two'])
      await far.stop()
    },
  )

  test('and says how long is not dialled before, unless the user wants to try again', async () => {
    const words = 'NO Request is throttled. Suggested Backoff Time: 900000 milliseconds'
    const { far, reader, logIns } = await refusing(words, 'EXAMINE')
    const before = logIns()
    const says = expect.stringContaining('asked Howl to wait') as string
    for (let at = 0; at < 2; at += 1) expect(await ask(reader)).toEqual([says, says])
    expect(logIns()).toBe(before)
    far.setScript(() => false)
    await call(app.url, emailActions.tryAgain, { token: reader.token })
    await expect.poll(subjects(reader)).toHaveLength(2)
    await far.stop()
  })
})

describe('asking for new mail', () => {
  test('syncs now and says how many arrived; two requests share one sync', async () => {
    const dora = await connectReader(app, servers.dovecot.user('dora'))
    await inboxRead(dora)
    await servers.dovecot.deliverMany('dora', 'INBOX', [mail('one'), mail('two')])
    const answers = await Promise.all([1, 2].map(() => call(app.url, emails.check, { token: dora.token })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await expect.poll(subjects(dora)).toHaveLength(2)
    expect((await call(app.url, emails.check, { token: dora.token })).body).toEqual({
      new_emails: 0,
      message: 'No new emails',
    })
    expect((await call(app.url, emails.ingest, { token: dora.token })).body).toEqual({
      ingested: 0,
      message: 'No new emails',
    })
  })

  test('works on the same connection where the server refuses IDLE, which is no error', async () => {
    const reader = await connectReader(app, { ...withoutIdle, username: 'x', password: 'y' })
    const count = (command: string) => withoutIdle.commands.filter(({ name }) => name === command).length
    await expect.poll(() => count('IDLE')).toBeGreaterThan(0)
    const connections = count('LOGIN') + count('AUTHENTICATE')
    withoutIdle.put('INBOX', 'mail 4')
    await call(app.url, emails.ingest, { token: reader.token })
    await expect.poll(() => count('IDLE')).toBeGreaterThan(1)
    expect(await subjects(reader)()).toContain('mail 4')
    expect(count('LOGIN') + count('AUTHENTICATE')).toBe(connections)
    expect((await settings(reader)).last_error).toBeNull()
  })

  test('syncs all folders where the inbox counts an email that it does not have', async () => {
    const emil = await connectReader(app, { ...miscounting, username: 'emil', password: 'pass' })
    await inboxRead(emil)
    const archived = async () => (await listFolder(app, emil, 'archived')).map(({ subject }) => subject)
    await expect.poll(archived).toHaveLength(1)
    // By now the inbox is looked at again, because of the difference: that makes five looks, and no more for a minute.
    const looks = () =>
      miscounting.commands.filter(({ name }) => name === 'EXAMINE' || name === 'SELECT').length
    await expect.poll(looks).toBeGreaterThanOrEqual(5)
    miscounting.put('Offers', 'three')
    await call(app.url, emails.check, { token: emil.token })
    await expect.poll(archived).toContain('three')
  })

  test('without an account says what to do', async () => {
    const user = await signUp(app.url)
    const { status, error } = await call(app.url, emails.check, { token: user.token })
    expect([status, error.detail, error.code]).toEqual([
      400,
      'Please configure your email settings in the Profile page to receive emails',
      'IMAP_NOT_CONFIGURED',
    ])
  })

  test('for the practice mailbox finds nothing to fetch', async () => {
    const user = await signUp(app.url)
    await call(app.url, mailboxSetup.practice, { token: user.token })
    expect((await call(app.url, emails.check, { token: user.token })).body.new_emails).toBe(0)
  })
})
