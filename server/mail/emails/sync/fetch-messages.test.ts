import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../../../tests/support/client.ts'
import { type Dovecot, startDovecot } from '../../../../tests/support/dovecot.ts'
import {
  type HostileImap,
  type ImapScript,
  startHostileImap,
} from '../../../../tests/support/hostile-imap.ts'
import { testMail } from '../../../../tests/support/mail-servers.ts'
import { connectReader, listFolder, type Reader, readOnce } from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'

// The scripted server has an INBOX with three messages, UIDs 1 to 3.
let app: TestApp
let far: HostileImap
let dovecot: Dovecot

beforeAll(async () => {
  far = await startHostileImap()
  dovecot = await startDovecot({ users: { ada: 'pass' } })
  app = await startTestApp({ roles: ['web'] })
})

afterEach(() => far.setScript(() => false))

afterAll(async () => {
  await app?.end()
  await far?.stop()
  await dovecot?.stop()
})

const newReader = () => connectReader(app, { ...far, username: 'ada', password: 'pass' })
const subjects = async (reader: Reader) =>
  (await listFolder(app, reader)).map(({ subject }) => subject).sort()
const inbox = async ({ token }: Reader) =>
  (await call(app.url, mailboxes.get, { token })).body.folders.find(({ path }) => path === 'INBOX')

/** Does something else when the message with UID 2 is fetched. */
const atTheSecond =
  (act: (...args: Parameters<ImapScript>) => void): ImapScript =>
  (command, reply) => {
    const [set = ''] = command.rest.split(' ')
    const holds = set.split(',').some((part) => {
      const [from = 0, to = from] = part.split(':').map(Number)
      return from <= 2 && 2 <= to
    })
    if (command.name !== 'UID FETCH' || !command.rest.includes('BODY.PEEK[]') || !holds) return false
    act(command, reply)
    return true
  }

test('a message that the server refuses to return is put aside, and the others arrive', async () => {
  const ada = await newReader()
  far.setScript(atTheSecond(({ tag }, { line }) => line(`${tag} NO [SERVERBUG] This mail is broken`)))
  expect(await readOnce(app, ada)).toBe(2)
  expect(await subjects(ada)).toEqual(['mail 1', 'mail 3'])
  expect(await inbox(ada)).toMatchObject({ quarantined: 1, behind: 0, last_error: null })
  expect(await readOnce(app, ada)).toBe(0)
})

test('a message that breaks the connection is put aside in the second pass, and the others arrive', async () => {
  const ada = await newReader()
  far.setScript(atTheSecond((_, { cut }) => cut()))
  await expect(readOnce(app, ada)).rejects.toMatchObject({ name: 'ImapFailure', kind: 'gone' })
  expect((await inbox(ada))?.last_error).not.toBeNull()
  await readOnce(app, ada)
  expect(await subjects(ada)).toEqual(['mail 1', 'mail 3'])
  expect(await inbox(ada)).toMatchObject({ quarantined: 1, behind: 0, last_error: null })
})

test('a connection that breaks for a while puts nothing aside', async () => {
  const ada = await newReader()
  far.setScript(atTheSecond((_, { cut }) => cut()))
  await expect(readOnce(app, ada)).rejects.toMatchObject({ kind: 'gone' })
  far.setScript(() => false)
  await readOnce(app, ada)
  expect(await subjects(ada)).toEqual(['mail 1', 'mail 2', 'mail 3'])
  expect((await inbox(ada))?.quarantined).toBe(0)
})

test('when the server returns no message at all, nothing is put aside', async () => {
  const ada = await newReader()
  far.setScript(({ name, rest, tag }, { line }) => {
    if (name === 'UID SEARCH') line('* SEARCH 1 2 3 4 5 6 7 8')
    if (name === 'UID FETCH' && rest.includes('BODY.PEEK[]')) line(`${tag} NO [UNAVAILABLE] Storage is away`)
    else if (name === 'UID SEARCH') line(`${tag} OK done`)
    else return false
    return true
  })
  await expect(readOnce(app, ada)).rejects.toMatchObject({
    words: expect.stringContaining('Storage is away') as string,
  })
  expect(await inbox(ada)).toMatchObject({
    quarantined: 0,
    last_error: expect.stringContaining('Storage is away') as string,
  })
})

test('an empty message is put aside, and the next ones arrive', async () => {
  await dovecot.deliverMany('ada', 'INBOX', [
    testMail({ Subject: 'before' }),
    '\r\n\r\n',
    testMail({ Subject: 'after' }),
  ])
  const ada = await connectReader(app, dovecot.user('ada'))
  expect(await readOnce(app, ada)).toBe(2)
  expect(await subjects(ada)).toEqual(['after', 'before'])
  expect((await inbox(ada))?.quarantined).toBe(1)
})
