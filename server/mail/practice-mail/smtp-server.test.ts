import { afterEach, expect, test } from 'vitest'
import { openSmtp, type SmtpAccount } from '#server/platform/gateways/smtp.ts'
import { makeDialGuard, MAIL_PORTS } from '#server/platform/security/addresses.ts'
import { startPracticeSmtp, type PracticeMail, type PracticeSmtp } from './smtp-server.ts'

const guard = makeDialGuard({ allowPrivate: true, ports: MAIL_PORTS })
const raw = Buffer.from('Subject: Hello\r\nMessage-ID: <1@test>\r\n\r\n.dots at the start stay\r\n')
let server: PracticeSmtp | undefined
let received: PracticeMail[] = []

async function start(receive = async (mail: PracticeMail) => void received.push(mail)): Promise<SmtpAccount> {
  received = []
  server = await startPracticeSmtp({
    authenticate: async (username, password) => username === 'ann' && password === 'right',
    receive,
    maxBytes: 10_000,
  })
  return { host: '127.0.0.1', port: server.port, security: 'plain', username: 'ann', password: 'right' }
}

afterEach(async () => {
  await server?.close()
})

test('accepts a mail, byte for byte, from an authenticated user', async () => {
  const session = await openSmtp(await start(), { guard })
  await session.send({ from: 'ann@example.com', to: ['bob@example.com', 'eve@example.com'] }, raw)
  session.close()
  expect(received).toEqual([
    { from: 'ann@example.com', to: ['bob@example.com', 'eve@example.com'], raw, username: 'ann' },
  ])
})

test('accepts a mail to an address that needs its quotes', async () => {
  const session = await openSmtp(await start(), { guard })
  const to = ['"ceo@bank.example"@attack.example', 'eve@example.com']
  await session.send({ from: 'ann@example.com', to }, raw)
  session.close()
  expect(received.map((mail) => mail.to)).toEqual([to])
})

test('lets nobody in with a wrong password, or without one', async () => {
  const account = await start()
  await expect(openSmtp({ ...account, password: 'wrong' }, { guard })).rejects.toMatchObject({
    kind: 'auth',
    code: 535,
    words: expect.stringContaining('Wrong user name or password'),
  })
  const session = await openSmtp({ ...account, username: '' }, { guard })
  await expect(session.send({ from: 'a@example.com', to: ['b@example.com'] }, raw)).rejects.toMatchObject({
    kind: 'auth',
    code: 530,
  })
  session.close()
  expect(received).toEqual([])
})

test('refuses a mail that is too large, whether or not it was announced', async () => {
  const session = await openSmtp(await start(), { guard })
  const envelope = { from: 'ann@example.com', to: ['bob@example.com'] }
  await expect(session.send(envelope, Buffer.alloc(10_001, 'x'))).rejects.toMatchObject({ kind: 'too_large' })
  await session.send(envelope, raw)
  session.close()
  expect(received).toHaveLength(1)
})

test('answers "try again later" when the mail cannot be accepted', async () => {
  const account = await start(async () => {
    throw new Error('a secret of ours')
  })
  const session = await openSmtp(account, { guard })
  const failure = session.send({ from: 'ann@example.com', to: ['bob@example.com'] }, raw)
  await expect(failure).rejects.toMatchObject({
    kind: 'later',
    code: 451,
    words: '451 4.3.0 Try again later',
  })
  session.close()
})
